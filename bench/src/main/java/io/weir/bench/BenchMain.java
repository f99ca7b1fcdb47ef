package io.weir.bench;

import io.weir.core.json.Json;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** {@code bench/run NAME [--quick] [--json] [--without-spark]}. */
public final class BenchMain {
    private static final List<String> NAMES =
            List.of("api", "capture", "ingest", "ledger", "load", "merge");

    private static final int USAGE = 2;

    private BenchMain() {}

    public static void main(String[] arguments) throws Exception {
        List<String> options = new ArrayList<>(List.of(arguments));
        boolean quick = options.remove("--quick");
        boolean json = options.remove("--json");
        boolean withSpark = !options.remove("--without-spark");
        if (options.size() != 1 || !NAMES.contains(options.get(0))) {
            System.err.println("Usage: bench/run " + String.join("|", NAMES)
                    + " [--quick] [--json] [--without-spark]");
            System.exit(USAGE);
        }
        Consumer<String> progress = json ? line -> {} : System.out::println;
        Path directory = Files.createTempDirectory("weir-bench");
        try (Bench bench = open(options.get(0), directory, quick, withSpark)) {
            System.out.println(Json.line(bench.run(progress)));
        } finally {
            delete(directory);
        }
        System.exit(0);
    }

    private static Bench open(String name, Path directory, boolean quick, boolean withSpark)
            throws IOException {
        return switch (name) {
            case "api" -> ApiBench.open(directory, quick);
            case "capture" -> CaptureBench.open(directory, quick);
            case "ingest" -> IngestBench.open(directory, quick);
            case "ledger" -> LedgerBench.open(directory, quick);
            case "load" -> LoadBench.open(directory, quick, withSpark);
            case "merge" -> MergeBench.open(directory, quick, withSpark);
            default -> throw new IllegalArgumentException("No benchmark " + name);
        };
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
