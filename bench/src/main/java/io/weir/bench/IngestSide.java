package io.weir.bench;

import com.sun.management.OperatingSystemMXBean;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.ingest.StreamingConnection;
import io.weir.ingest.WeirStreamingConnection;
import io.weir.ingest.record.StrictDelimitedInputWriter;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Weir's streaming library in this process; its catalog is on a durable server. */
final class IngestSide implements AutoCloseable {
    private static final String DATABASE = "lake";
    private static final double NANOS = 1e9;
    private static final int HEAP_LOOKS = 10;

    private final Path directory;
    private final CatalogConfig config;
    private final LakeCatalog catalog;
    private int tables;

    IngestSide(Path directory) {
        this.directory = directory;
        EmbeddedServer server = EmbeddedServer.attach(directory.resolve("pg"), Map.of());
        server.createDatabase(DATABASE);
        this.config = new CatalogConfig(
                "weir",
                server.url(DATABASE),
                server.user(),
                server.password(),
                "file://" + directory.resolve("lake").toAbsolutePath());
        this.catalog = LakeCatalog.open(config);
    }

    private static Column column(String name, Type type) {
        return new Column(0, name, type.toString(), type, false, LossPolicy.FAIL);
    }

    private LakeTable table(String name, IngestWork work) {
        List<Column> columns = new ArrayList<>(List.of(
                column("id", Types.IntegerType.get()), column("msg", Types.StringType.get())));
        if (work.partitions() > 0) {
            columns.add(column("part", Types.StringType.get()));
        }
        PartitionBy by = work.partitions() > 0 ? PartitionBy.parse("part") : PartitionBy.NOTHING;
        return catalog.prepare("testing." + name, columns, List.of(), by);
    }

    /**
     * Live heap of one open transaction, the largest of some looks while it is written.
     *
     * @param limit of the memory for rows, in bytes
     * @return bytes above what was live before
     */
    long heap(IngestWork work, long limit) throws Exception {
        String name = "t" + tables++;
        LakeTable table = table(name, work);
        byte[][] records = work.records();
        long most = 0;
        try (StreamingConnection connection = to(name).withMemoryLimit(limit).connect()) {
            long before = live();
            connection.beginTransaction();
            for (int row = 0; row < work.rows(); row++) {
                connection.write(records[row % records.length]);
                if ((row + 1) % (work.rows() / HEAP_LOOKS) == 0) {
                    most = Math.max(most, live() - before);
                }
            }
            connection.commitTransaction();
        }
        checkRows(table, work);
        return most;
    }

    private static long live() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void checkRows(LakeTable table, IngestWork work) {
        if (table.balance().rows() != work.rows()) {
            throw new IllegalStateException(
                    "Weir has " + table.balance() + " of " + work.rows() + " rows");
        }
    }

    /** Creates a table, writes all rows into it and checks that they are there. */
    IngestWork.Took run(IngestWork work) throws Exception {
        String name = "t" + tables++;
        LakeTable table = table(name, work);
        byte[][] records = work.records();
        List<StreamingConnection> open = new ArrayList<>();
        List<Callable<Boolean>> writers = new ArrayList<>();
        for (int i = 0; i < work.connections(); i++) {
            StreamingConnection connection = to(name).connect();
            open.add(connection);
            writers.add(() -> write(connection, records, work));
        }
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        ExecutorService threads = Executors.newFixedThreadPool(work.connections());
        long cpu = system.getProcessCpuTime();
        double wall = Clock.seconds(() -> {
            for (Future<Boolean> done : threads.invokeAll(writers)) {
                done.get();
            }
        });
        double busy = (system.getProcessCpuTime() - cpu) / NANOS;
        threads.shutdown();
        open.forEach(StreamingConnection::close);
        checkRows(table, work);
        return new IngestWork.Took(wall, busy);
    }

    private WeirStreamingConnection.Builder to(String table) {
        return WeirStreamingConnection.newBuilder()
                .withDatabase("testing")
                .withTable(table)
                .withAgentInfo("bench")
                .withRecordWriter(StrictDelimitedInputWriter.newBuilder()
                        .withFieldDelimiter(',')
                        .build())
                .withCatalog(config);
    }

    private static boolean write(StreamingConnection connection, byte[][] records, IngestWork work)
            throws Exception {
        int rows = work.rows() / work.connections();
        for (int row = 0; row < rows; ) {
            connection.beginTransaction();
            for (int i = 0; i < work.rowsOfTransaction(); i++) {
                connection.write(records[row % records.length]);
                row++;
            }
            connection.commitTransaction();
        }
        return true;
    }

    @Override
    public void close() {
        catalog.close();
        EmbeddedServer.stop(directory.resolve("pg"));
    }
}
