package io.weir.bench;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The released client of Hive in a process of its own, which {@code bench/hive} builds. */
final class HiveSide implements AutoCloseable {
    /** Where bench/run put Hive and our program for it. */
    static final String LIBRARIES = "weir.bench.hive";

    /** The heap and the collector of the other side. */
    private static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseParallelGC");

    private static final int LOG_CHARACTERS = 4_000;

    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;
    private final Path log;

    private HiveSide(Process process, Path log) throws IOException {
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.log = log;
        answer();
    }

    /**
     * Starts it with a metastore of its own.
     *
     * @param directory of Hive alone, made if missing
     */
    static HiveSide start(Path directory) throws IOException {
        Path libraries = Path.of(System.getProperty(LIBRARIES, "bench/hive/target/lib"));
        Files.createDirectories(directory);
        Path log = directory.resolve("hive.log");
        List<String> command = new java.util.ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of(
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "--add-opens=java.base/java.net=ALL-UNNAMED",
                "-cp",
                libraries.toAbsolutePath() + "/*",
                "io.weir.bench.hive.HiveMain",
                directory.toAbsolutePath().toString()));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            return new HiveSide(process, log);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    IngestWork.Took run(IngestWork work) throws IOException {
        commands.write(work.command());
        commands.newLine();
        commands.flush();
        String[] words = answer().split(" ", -1);
        return new IngestWork.Took(Double.parseDouble(words[0]), Double.parseDouble(words[1]));
    }

    private String answer() throws IOException {
        @Nullable String line = answers.readLine();
        if (line == null) {
            String said = Files.readString(log);
            throw new IllegalStateException("Cannot go on with Hive: it ended. "
                    + said.substring(Math.max(0, said.length() - LOG_CHARACTERS)));
        }
        return line;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
