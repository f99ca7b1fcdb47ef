package io.weir.ingest;

import io.weir.ingest.record.StrictDelimitedInputWriter;
import io.weir.table.CatalogConfig;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A process that writes transactions until it is killed, and says what it was told. */
final class KilledWriter {
    static final String SOURCE = "killed";
    static final int ROWS = 5;

    private KilledWriter() {}

    /** Arguments: name, URL, user, password and warehouse of the catalog. */
    public static void main(String[] arguments) throws StreamingException {
        PrintStream out = new PrintStream(
                new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        CatalogConfig config = new CatalogConfig(
                arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]);
        try (StreamingConnection connection = WeirStreamingConnection.newBuilder()
                .withDatabase(IngestHouse.DATABASE)
                .withTable("plain")
                .withSource(SOURCE)
                .withTransactionBatchSize(3)
                .withRecordWriter(StrictDelimitedInputWriter.newBuilder()
                        .withFieldDelimiter(',')
                        .build())
                .withCatalog(config)
                .connect()) {
            long sequence = connection.lastCommitted(SOURCE).orElse(0) + 1;
            out.println("from " + sequence);
            while (true) {
                connection.beginTransaction(sequence);
                for (int i = 0; i < ROWS; i++) {
                    connection.write((sequence * ROWS + i + ",x").getBytes(StandardCharsets.UTF_8));
                }
                out.println("commit " + sequence);
                connection.commitTransaction();
                out.println("done " + sequence);
                sequence++;
            }
        }
    }
}
