package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Records into a table: Weir's streaming library next to the released client of Hive. */
final class IngestBench implements Bench {
    private static final int ROUNDS = 3;
    private static final int FEW_PARTITIONS = 100;
    private static final int MANY_PARTITIONS = 1_000;
    private static final int HEAP_ROWS = 200_000;
    private static final long HEAP_LIMIT = 8L << 20;
    private static final double MEGABYTE = 1L << 20;
    private static final int ROWS = 2_000_000;
    private static final int ROWS_OF_TRANSACTION = 100_000;
    private static final int SMALL_TRANSACTIONS = 200;
    private static final int SMALL = 1_000;
    private static final int PARTITIONS = 20;
    private static final int CONNECTIONS = 8;
    private static final int QUICK = 5;
    private static final String PLAIN = "plain";

    private final HiveSide hive;
    private final IngestSide weir;
    private final Map<String, IngestWork> works = new LinkedHashMap<>();

    private IngestBench(HiveSide hive, IngestSide weir, int divisor) {
        this.hive = hive;
        this.weir = weir;
        int rows = ROWS / divisor;
        int small = SMALL_TRANSACTIONS / divisor * SMALL;
        works.put(PLAIN, new IngestWork(rows, ROWS_OF_TRANSACTION, 0, 1));
        works.put("dynamic", new IngestWork(rows, ROWS_OF_TRANSACTION, PARTITIONS, 1));
        works.put("small_tx", new IngestWork(small, SMALL, 0, 1));
        works.put("small_tx_8", new IngestWork(small * 2, SMALL, 0, CONNECTIONS));
    }

    static IngestBench open(Path directory, boolean quick) throws IOException {
        HiveSide hive = HiveSide.start(directory.resolve("hive"));
        return new IngestBench(hive, new IngestSide(directory), quick ? QUICK : 1);
    }

    @Override
    public ObjectNode run(Consumer<String> progress) throws Exception {
        Map<String, List<Double>> figures = new LinkedHashMap<>();
        for (int round = 0; round <= ROUNDS; round++) {
            for (Map.Entry<String, IngestWork> entry : works.entrySet()) {
                IngestWork.Took theirs = hive.run(entry.getValue());
                IngestWork.Took ours = weir.run(entry.getValue());
                progress.accept(String.format(
                        Locale.ROOT,
                        "round %d %s: hive %.2f s (cpu %.2f), weir %.2f s (cpu %.2f)",
                        round,
                        entry.getKey(),
                        theirs.wall(),
                        theirs.cpu(),
                        ours.wall(),
                        ours.cpu()));
                // The first round is there to warm both up.
                if (round > 0) {
                    add(figures, "hive_" + entry.getKey(), theirs);
                    add(figures, "weir_" + entry.getKey(), ours);
                }
            }
        }
        ObjectNode document = result(figures);
        ObjectNode all = (ObjectNode) document.path("figures");
        for (int partitions : List.of(FEW_PARTITIONS, MANY_PARTITIONS)) {
            IngestWork work = new IngestWork(HEAP_ROWS, HEAP_ROWS, partitions, 1);
            double megabytes = rounded(weir.heap(work, HEAP_LIMIT) / MEGABYTE);
            all.put("weir_heap_mb_" + partitions + "_partitions", megabytes);
            progress.accept("heap with " + partitions + " partitions: " + megabytes + " MB");
        }
        return document;
    }

    private static void add(Map<String, List<Double>> figures, String name, IngestWork.Took took) {
        figures.computeIfAbsent(name + "_s", key -> new ArrayList<>()).add(took.wall());
        figures.computeIfAbsent(name + "_cpu_s", key -> new ArrayList<>()).add(took.cpu());
    }

    private ObjectNode result(Map<String, List<Double>> figures) {
        ObjectNode document = Json.object().put("bench", "ingest");
        ObjectNode ratios = document.putObject("ratios");
        for (String name : works.keySet()) {
            ratios.put(
                    name + "_over_hive",
                    rounded(ratio(figures, "hive_" + name + "_s", "weir_" + name + "_s")));
        }
        ratios.put(
                "cpu_hive_over_weir",
                rounded(ratio(figures, "hive_" + PLAIN + "_cpu_s", "weir_" + PLAIN + "_cpu_s")));
        ObjectNode medians = document.putObject("figures");
        figures.forEach((name, values) -> medians.put(name, rounded(Clock.median(values))));
        works.forEach((name, work) -> medians.put(
                "weir_" + name + "_rows_per_s",
                Math.round(work.rows() / median(figures, "weir_" + name + "_s"))));
        medians.put("codec_hive", "orc, uncompressed");
        medians.put("codec_weir", "parquet, zstd 1");
        return document;
    }

    private static double ratio(Map<String, List<Double>> figures, String over, String under) {
        return median(figures, over) / median(figures, under);
    }

    private static double median(Map<String, List<Double>> figures, String name) {
        return Clock.median(figures.getOrDefault(name, List.of()));
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }

    @Override
    public void close() {
        hive.close();
        weir.close();
    }
}
