package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.engine.Uniqueness;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.source.SourceConfig;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Merges one window into tables of three sizes, and the one of middle size by Spark, too. Each side
 * checks what it merged; each round begins with the same table.
 */
final class MergeBench implements Bench {
    private static final int ROUNDS = 3;
    private static final long CHANGES = 120_000;
    private static final long MILLION = 1_000_000;
    /** With {@code --quick} everything is so much smaller. */
    private static final int QUICK = 10;

    private static final String DATABASE = "bench";
    private static final List<String> MODES = List.of("copy-on-write", "merge-on-read");

    private final Path server;
    private final Path directory;
    private final MergeSide weir;
    private final boolean withSpark;
    private final int rounds;
    private final long scale;
    private final Map<String, List<Double>> seconds = new LinkedHashMap<>();
    private @Nullable String sparkSettings;

    private MergeBench(
            Path server, Path directory, MergeSide weir, boolean quick, boolean withSpark) {
        this.server = server;
        this.directory = directory;
        this.weir = weir;
        this.withSpark = withSpark;
        this.scale = quick ? QUICK : 1;
        this.rounds = quick ? 1 : ROUNDS;
    }

    static MergeBench open(Path directory, boolean quick, boolean withSpark) throws IOException {
        Path home = directory.resolve("pg");
        EmbeddedServer server = EmbeddedServer.attach(home, Map.of());
        server.createDatabase(DATABASE);
        SourceConfig database =
                new SourceConfig(DATABASE, server.url(DATABASE), server.user(), server.password());
        try {
            MergeSide weir = new MergeSide(database, directory.resolve("weir"));
            return new MergeBench(home, directory, weir, quick, withSpark);
        } catch (RuntimeException e) {
            EmbeddedServer.stop(home);
            throw e;
        }
    }

    @Override
    public ObjectNode run(Consumer<String> progress) throws Exception {
        long changes = CHANGES / scale;
        Map<String, MergeSide.Filled> tables = new LinkedHashMap<>();
        for (long millions : List.of(1L, 10L, 30L)) {
            progress.accept("filling " + millions * MILLION / scale + " rows");
            tables.put(
                    millions + "m",
                    weir.fill("orders_" + millions + "m", millions * MILLION / scale, changes));
        }
        progress.accept("warming up");
        for (int i = 0; i < 2; i++) {
            for (Uniqueness uniqueness : Uniqueness.values()) {
                once(tables.get("1m"), uniqueness);
            }
        }
        forgetPeak();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, MergeSide.Filled> table : tables.entrySet()) {
                keep("weir_" + table.getKey(), once(table.getValue(), Uniqueness.INCREMENTAL));
            }
            keep("weir_10m_full", once(tables.get("10m"), Uniqueness.FULL));
            progress.accept("round " + round + ": " + seconds);
        }
        double peak = WeirSide.peakMegabytes();
        if (withSpark) {
            spark(tables.get("10m"), progress);
        }
        ObjectNode json = Json.object().put("bench", "merge");
        json.set("ratios", ratios());
        ObjectNode figures = json.putObject("figures");
        figures.put("rows_10m", 10 * MILLION / scale)
                .put("changes", changes)
                .put("weir_peak_rss_mb", peak);
        seconds.forEach((name, values) -> figures.put(name + "_s", Clock.median(values)));
        if (sparkSettings != null) {
            figures.put("spark_settings", sparkSettings);
        }
        return json;
    }

    private double once(MergeSide.Filled table, Uniqueness uniqueness) throws Exception {
        double taken = weir.merge(table, uniqueness);
        weir.reset(table);
        return taken;
    }

    /** What filling took of memory is not what merging takes. */
    private static void forgetPeak() throws IOException {
        System.gc();
        Files.writeString(Path.of("/proc/self/clear_refs"), "5");
    }

    private void spark(MergeSide.Filled table, Consumer<String> progress) throws Exception {
        try (SparkSide spark = SparkSide.start("MergeMain", directory.resolve("spark"))) {
            sparkSettings = spark.settings();
            spark.ask("open " + MergeSide.metadata(table.table().lake().dataRoot()) + " "
                    + MergeSide.metadata(table.log()
                            .fileLocation(0, 0)
                            .substring(0, table.log().fileLocation(0, 0).indexOf("/epoch="))));
            for (int round = 0; round < rounds; round++) {
                for (String mode : MODES) {
                    String name = "spark_" + mode.replace('-', '_');
                    keep(name, spark.ask("merge " + mode + " incremental"));
                    keep(name + "_full", spark.ask("merge " + mode + " full"));
                }
                // In turns with Weir, whatever the machine does meanwhile.
                keep("weir_10m", once(table, Uniqueness.INCREMENTAL));
                keep("weir_10m_full", once(table, Uniqueness.FULL));
                progress.accept("Spark, round " + round + ": " + seconds);
            }
        }
    }

    private void keep(String name, double value) {
        seconds.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }

    private double median(String name) {
        return Clock.median(seconds.getOrDefault(name, List.of(Double.NaN)));
    }

    private ObjectNode ratios() {
        ObjectNode ratios = Json.object();
        if (withSpark) {
            ratios.put(
                            "spark_over_weir_10m",
                            Math.min(median("spark_copy_on_write"), median("spark_merge_on_read"))
                                    / median("weir_10m"))
                    .put(
                            "spark_over_weir_10m_full",
                            Math.min(
                                            median("spark_copy_on_write_full"),
                                            median("spark_merge_on_read_full"))
                                    / median("weir_10m_full"));
        }
        return ratios.put("growth_1m_30m", median("weir_30m") / median("weir_1m"));
    }

    @Override
    public void close() {
        weir.close();
        EmbeddedServer.stop(server);
    }
}
