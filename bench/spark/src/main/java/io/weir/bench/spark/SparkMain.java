package io.weir.bench.spark;

import org.apache.iceberg.IcebergBuild;
import org.apache.spark.sql.SparkSession;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Starts a session once, says {@code READY} and what it is, then does what each line of standard
 * input says and answers with the seconds it took. {@code exit} or the end of input ends it.
 *
 * <p>Arguments: JDBC URL, user, directory, partitions of a read. The password is in {@code
 * PGPASSWORD}.
 */
public final class SparkMain {
    private static final double NANOS = 1e9;
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private SparkMain() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        Path directory = Path.of(arguments[2]);
        int partitions = Integer.parseInt(arguments[3]);
        OrdersSource source =
                new OrdersSource(arguments[0], arguments[1], System.getenv("PGPASSWORD"));
        try (SparkSession session = session(directory)) {
            answers.println("READY Spark " + session.version() + ", Iceberg "
                    + IcebergBuild.version() + ", local[" + CORES + "], numPartitions=" + partitions
                    + ", fetchsize=" + OrdersSource.FETCH_ROWS + ", zstd, no shuffle");
            serve(new OrdersLoad(session, source, partitions), answers);
        }
    }

    private static void serve(OrdersLoad load, PrintStream answers) throws Exception {
        BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = read(commands); !command.equals("exit"); command = read(commands)) {
            long start = System.nanoTime();
            switch (command) {
                case "warm-up" -> load.checked("warm_up");
                case "load" -> load.plain("orders");
                case "load-checked" -> load.checked("orders");
                default -> throw new IllegalArgumentException("No command " + command);
            }
            answers.println((System.nanoTime() - start) / NANOS);
        }
    }

    private static String read(BufferedReader commands) throws IOException {
        String line = commands.readLine();
        return line == null ? "exit" : line;
    }

    private static SparkSession session(Path directory) {
        String catalog = "spark.sql.catalog." + OrdersLoad.CATALOG;
        return SparkSession.builder()
                .appName("weir-bench")
                .master("local[" + CORES + "]")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.ui.enabled", false)
                .config("spark.local.dir", directory.resolve("scratch").toString())
                .config("spark.sql.shuffle.partitions", 4)
                .config("spark.sql.session.timeZone", "UTC")
                .config(
                        "spark.sql.extensions",
                        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
                .config(catalog, "org.apache.iceberg.spark.SparkCatalog")
                .config(catalog + ".type", "hadoop")
                .config(
                        catalog + ".warehouse",
                        directory.resolve("lake").toUri().toString())
                .getOrCreate();
    }
}
