package io.weir.bench;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * One piece of work for both sides.
 *
 * @param partitions that the rows rotate through; 0 for a table without partitions
 */
record IngestWork(int rows, int rowsOfTransaction, int partitions, int connections) {
    private static final int RECORDS = 10_000;
    private static final int LETTERS = 100;

    /** As the process of the other side reads it. */
    String command() {
        return rows + " " + rowsOfTransaction + " " + partitions + " " + connections;
    }

    /** An int, random letters, perhaps a partition; the same on the other side. */
    byte[][] records() {
        Random random = new Random(1);
        byte[][] records = new byte[RECORDS][];
        for (int i = 0; i < records.length; i++) {
            StringBuilder text = new StringBuilder().append(i).append(',');
            for (int j = 0; j < LETTERS; j++) {
                text.append((char) ('a' + random.nextInt(26)));
            }
            if (partitions > 0) {
                text.append(",p").append(i % partitions);
            }
            records[i] = text.toString().getBytes(StandardCharsets.UTF_8);
        }
        return records;
    }

    /** What a side needed, in seconds. */
    record Took(double wall, double cpu) {}
}
