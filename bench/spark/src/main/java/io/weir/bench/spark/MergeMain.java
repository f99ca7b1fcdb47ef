package io.weir.bench.spark;

import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.IcebergBuild;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.spark.sql.SparkSession;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * Merges a window of a change log into a table by row hash, with {@code MERGE INTO}. Both come as
 * metadata files of tables of Weir; what is merged into is a table that begins with the same data
 * files, made anew each time.
 *
 * <p>Argument: a directory. Commands: {@code open TABLE LOG}, {@code merge MODE CHECK}, {@code
 * exit}. The answer is the seconds that it took, with the checks, without making the table.
 */
public final class MergeMain {
    private static final double NANOS = 1e9;
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final String TABLE = "lake.bench.orders";
    private static final String LOG = "lake.bench.log";

    private static final String MERGE = """
            merge into %1$s t using (
                select op, before_digest, after_digest, after.* from %2$s) s
            on t._row_hash = s.before_digest
            when matched and s.op = 'delete' then delete
            when matched then update set t.id = s.id, t.customer_code = s.customer_code,
                t.order_ref = s.order_ref, t.status_text = s.status_text, t.amount = s.amount,
                t.created_at = s.created_at, t.quantity = s.quantity,
                t.order_date = s.order_date, t._row_hash = s.after_digest
            when not matched then insert (id, customer_code, order_ref, status_text, amount,
                created_at, quantity, order_date, _row_hash)
                values (s.id, s.customer_code, s.order_ref, s.status_text, s.amount,
                    s.created_at, s.quantity, s.order_date, s.after_digest)
            """;

    private final SparkSession session;
    private final Configuration configuration;
    private final HadoopCatalog catalog;
    private String table = "";
    private String log = "";
    private long rows;

    private MergeMain(SparkSession session, String warehouse) {
        this.session = session;
        this.configuration = session.sparkContext().hadoopConfiguration();
        this.catalog = new HadoopCatalog(configuration, warehouse);
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        Path directory = Path.of(arguments[0]);
        String warehouse = directory.resolve("lake").toUri().toString();
        try (SparkSession session = session(directory, warehouse)) {
            answers.println("READY Spark " + session.version() + ", Iceberg "
                    + IcebergBuild.version() + ", local[" + CORES + "], format v3, zstd");
            new MergeMain(session, warehouse).serve(answers);
        }
    }

    private static SparkSession session(Path directory, String warehouse) {
        return SparkSession.builder()
                .appName("weir-bench")
                .master("local[" + CORES + "]")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.ui.enabled", false)
                .config("spark.local.dir", directory.resolve("scratch").toString())
                .config("spark.sql.shuffle.partitions", 2 * CORES)
                .config("spark.sql.session.timeZone", "UTC")
                .config(
                        "spark.sql.extensions",
                        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
                .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
                .config("spark.sql.catalog.lake.type", "hadoop")
                .config("spark.sql.catalog.lake.cache-enabled", false)
                .config("spark.sql.catalog.lake.warehouse", warehouse)
                .getOrCreate();
    }

    private void serve(PrintStream answers) throws IOException {
        BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine();
                line != null && !line.equals("exit");
                line = commands.readLine()) {
            String[] words = line.split(" ");
            double seconds = 0;
            if (words[0].equals("open")) {
                table = words[1];
                log = words[2];
                make(LOG, log, "merge-on-read");
            } else {
                rows = make(TABLE, table, words[1]);
                long start = System.nanoTime();
                session.sql(MERGE.formatted(TABLE, LOG));
                check(words[2].equals("full"));
                seconds = (System.nanoTime() - start) / NANOS;
            }
            answers.println(seconds);
        }
    }

    /** A table of its own with the data files of another one; nothing is copied. */
    private long make(String name, String metadata, String mode) throws IOException {
        Table from = new BaseTable(
                new StaticTableOperations(metadata, new HadoopFileIO(configuration)), name);
        TableIdentifier identifier =
                TableIdentifier.of("bench", name.substring(name.lastIndexOf('.') + 1));
        // Its files belong to Weir.
        catalog.dropTable(identifier, false);
        Table made = catalog.buildTable(identifier, from.schema())
                .withProperties(Map.of(
                        "format-version", "3",
                        "write.parquet.compression-codec", "zstd",
                        "write.merge.mode", mode))
                .create();
        var append = made.newAppend();
        long count = 0;
        try (CloseableIterable<FileScanTask> tasks = from.newScan().planFiles()) {
            for (FileScanTask task : tasks) {
                append.appendFile(task.file());
                count += task.file().recordCount();
            }
        }
        append.commit();
        return count;
    }

    /** As many rows came as went, and no key is there twice. */
    private void check(boolean full) {
        long found = session.table(TABLE).count();
        String keys = full
                ? ""
                : " where id in (select after.id from " + LOG + " where after is not null)";
        long twice = session.sql(
                        "select id from " + TABLE + keys + " group by id having count(*) > 1")
                .count();
        if (found != rows || twice != 0) {
            throw new IllegalStateException("Cannot trust the merge: " + found + " rows of " + rows
                    + ", " + twice + " keys twice");
        }
    }
}
