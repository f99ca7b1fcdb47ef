package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.metric.MetricPlan;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.source.SourceConfig;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Loads one table by Weir and by Spark, with and without checks, and copies it to nowhere. Source,
 * ledger, lake and engines share the machine. The source does not lose its durability for speed.
 */
final class LoadBench implements Bench {
    private static final int ROUNDS = 3;
    private static final long ROWS = 10_000_000;
    private static final long ROWS_QUICK = 1_000_000;

    /** Enough for the compiler of the JVM. */
    private static final long WARM_UP_ROWS = 1_000_000;

    private static final String DATABASE = "bench";

    private final Path server;
    private final long rows;
    private final SourceConfig database;
    private final CopySide copySide;
    private final WeirSide weir;
    private final @Nullable SparkSide spark;

    private final List<Double> copy = new ArrayList<>();
    private final List<Double> verified = new ArrayList<>();
    private final List<Double> unverified = new ArrayList<>();
    private final List<Double> sparkPlain = new ArrayList<>();
    private final List<Double> sparkChecked = new ArrayList<>();

    private LoadBench(
            Path server,
            long rows,
            SourceConfig database,
            CopySide copySide,
            WeirSide weir,
            @Nullable SparkSide spark) {
        this.server = server;
        this.rows = rows;
        this.database = database;
        this.copySide = copySide;
        this.weir = weir;
        this.spark = spark;
    }

    static LoadBench open(Path directory, boolean quick, boolean withSpark) throws IOException {
        Path home = directory.resolve("pg");
        EmbeddedServer server = EmbeddedServer.attach(home, Map.of());
        server.createDatabase(DATABASE);
        SourceConfig database =
                new SourceConfig(DATABASE, server.url(DATABASE), server.user(), server.password());
        // Weir first: its connections keep the server from stopping as an idle one.
        WeirSide weir = WeirSide.open(database, directory.resolve("weir"));
        try {
            return new LoadBench(
                    home,
                    quick ? ROWS_QUICK : ROWS,
                    database,
                    new CopySide(database, directory),
                    weir,
                    withSpark ? SparkSide.start(database, directory.resolve("spark")) : null);
        } catch (IOException | RuntimeException e) {
            weir.close();
            EmbeddedServer.stop(home);
            throw e;
        }
    }

    @Override
    public ObjectNode run(Consumer<String> progress) throws Exception {
        progress.accept("filling " + rows + " rows");
        OrdersTable.fill(database, OrdersTable.NAME, rows);
        OrdersTable.fill(database, OrdersTable.WARM_UP, WARM_UP_ROWS);
        progress.accept("warming up");
        warmUp();
        for (int i = 0; i < ROUNDS; i++) {
            round();
            progress.accept(roundLine(i));
        }
        ObjectNode json = Json.object().put("bench", "load");
        json.set("ratios", ratios());
        json.set("figures", figures());
        return json;
    }

    private void warmUp() throws IOException {
        weir.load(OrdersTable.WARM_UP, WARM_UP_ROWS, MetricPlan.Verify.METRICS);
        if (spark != null) {
            spark.warmUp();
        }
    }

    private void round() throws Exception {
        copy.add(Clock.seconds(() -> copySide.copy(OrdersTable.NAME)));
        verified.add(
                Clock.seconds(() -> weir.load(OrdersTable.NAME, rows, MetricPlan.Verify.METRICS)));
        if (spark != null) {
            sparkChecked.add(spark.loadChecked());
        }
        unverified.add(
                Clock.seconds(() -> weir.load(OrdersTable.NAME, rows, MetricPlan.Verify.COUNT)));
        if (spark != null) {
            sparkPlain.add(spark.load());
        }
    }

    private String roundLine(int round) {
        String line = "round %d: copy %.1f s, Weir %.1f s verified, %.1f s unverified"
                .formatted(round + 1, copy.get(round), verified.get(round), unverified.get(round));
        return spark == null
                ? line
                : line
                        + ", Spark %.1f s checked, %.1f s unchecked"
                                .formatted(sparkChecked.get(round), sparkPlain.get(round));
    }

    private ObjectNode ratios() {
        ObjectNode ratios = Json.object()
                .put("verified_over_copy", Clock.median(verified) / Clock.median(copy))
                .put("unverified_over_copy", Clock.median(unverified) / Clock.median(copy));
        if (spark != null) {
            ratios.put("spark_over_unverified", Clock.median(sparkPlain) / Clock.median(unverified))
                    .put(
                            "spark_checked_over_verified",
                            Clock.median(sparkChecked) / Clock.median(verified));
        }
        return ratios;
    }

    private ObjectNode figures() throws IOException {
        ObjectNode figures = Json.object()
                .put("rows", rows)
                .put("copy_s", Clock.median(copy))
                .put("verified_s", Clock.median(verified))
                .put("unverified_s", Clock.median(unverified))
                .put("verified_rows_per_s", Math.round(rows / Clock.median(verified)))
                .put("weir_peak_rss_mb", WeirSide.peakMegabytes());
        if (spark != null) {
            figures.put("spark_s", Clock.median(sparkPlain))
                    .put("spark_checked_s", Clock.median(sparkChecked))
                    .put("spark_settings", spark.settings());
        }
        return figures;
    }

    @Override
    public void close() {
        if (spark != null) {
            spark.close();
        }
        weir.close();
        EmbeddedServer.stop(server);
    }
}
