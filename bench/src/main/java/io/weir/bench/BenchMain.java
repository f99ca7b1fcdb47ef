package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code bench/run NAME [--quick] [--json]}. */
public final class BenchMain {
    private static final int USAGE = 2;

    private BenchMain() {}

    public static void main(String[] arguments) throws Exception {
        List<String> options = List.of(arguments);
        if (options.isEmpty() || !options.get(0).equals("load")) {
            System.err.println("Usage: bench/run load [--quick] [--json]");
            System.exit(USAGE);
        }
        boolean json = options.contains("--json");
        Path directory = Files.createTempDirectory("weir-bench");
        try (LoadBench bench = LoadBench.open(directory, options.contains("--quick"))) {
            ObjectNode result = bench.run(line -> {
                if (!json) {
                    System.out.println(line);
                }
            });
            System.out.println(Json.line(result));
        }
        System.exit(0);
    }
}
