package io.weir.bench.hive;

import com.sun.management.OperatingSystemMXBean;

import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hive.streaming.HiveStreamingConnection;
import org.apache.hive.streaming.StreamingConnection;
import org.apache.hive.streaming.StrictDelimitedInputWriter;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads commands, {@code rows rowsOfTransaction partitions connections}, and answers each with the
 * wall time and the processor time of the process, in seconds. The argument is a directory.
 */
public final class HiveMain {
    private static final int RECORDS = 10_000;
    private static final double NANOS = 1e9;

    private HiveMain() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        // Hive and Derby talk, too.
        System.setOut(System.err);
        HiveHouse house = new HiveHouse(Path.of(arguments[0]));
        answers.println("READY");
        answers.flush();
        int table = 0;
        try (BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                try {
                    answers.println(run(house, "t" + table++, line.split(" ", -1)));
                } catch (Throwable thrown) {
                    // Hive's own handler of what nobody catches says nothing and ends nothing.
                    thrown.printStackTrace();
                    System.exit(1);
                }
                answers.flush();
            }
        }
        System.exit(0);
    }

    private static String run(HiveHouse house, String table, String[] words) throws Exception {
        int rows = Integer.parseInt(words[0]);
        int rowsOfTransaction = Integer.parseInt(words[1]);
        int partitions = Integer.parseInt(words[2]);
        int connections = Integer.parseInt(words[3]);
        house.create(table, partitions > 0);
        byte[][] records = records(partitions);
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        List<StreamingConnection> open = new ArrayList<>();
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            StreamingConnection connection = HiveStreamingConnection.newBuilder()
                    .withDatabase(HiveHouse.DATABASE)
                    .withTable(table)
                    .withAgentInfo("bench")
                    .withTransactionBatchSize(1)
                    .withRecordWriter(StrictDelimitedInputWriter.newBuilder()
                            .withFieldDelimiter(',')
                            .build())
                    .withHiveConf(new HiveConf(house.conf))
                    .connect();
            open.add(connection);
            work.add(() -> write(connection, records, rows / connections, rowsOfTransaction));
        }
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long start = System.nanoTime();
        for (Future<Void> done : threads.invokeAll(work)) {
            done.get();
        }
        double seconds = (System.nanoTime() - start) / NANOS;
        double busy = (system.getProcessCpuTime() - cpu) / NANOS;
        threads.shutdown();
        open.forEach(StreamingConnection::close);
        long found = house.rows(table);
        if (found != rows) {
            throw new IllegalStateException("Hive has " + found + " of " + rows + " rows");
        }
        return seconds + " " + busy;
    }

    private static Void write(
            StreamingConnection connection, byte[][] records, int rows, int rowsOfTransaction)
            throws Exception {
        for (int row = 0; row < rows; ) {
            connection.beginTransaction();
            for (int i = 0; i < rowsOfTransaction; i++) {
                connection.write(records[row++ % records.length]);
            }
            connection.commitTransaction();
        }
        return null;
    }

    /** The same as on the other side: an int, 100 random letters, perhaps a partition. */
    private static byte[][] records(int partitions) {
        Random random = new Random(1);
        byte[][] records = new byte[RECORDS][];
        for (int i = 0; i < records.length; i++) {
            StringBuilder text = new StringBuilder().append(i).append(',');
            for (int j = 0; j < 100; j++) {
                text.append((char) ('a' + random.nextInt(26)));
            }
            if (partitions > 0) {
                text.append(",p").append(i % partitions);
            }
            records[i] = text.toString().getBytes(StandardCharsets.UTF_8);
        }
        return records;
    }
}
