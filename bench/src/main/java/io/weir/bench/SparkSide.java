package io.weir.bench;

import io.weir.source.SourceConfig;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Spark in a process of its own, which {@code bench/spark} builds. Its session is started once and
 * stays, so that no load pays for the start.
 */
final class SparkSide implements AutoCloseable {
    /** Where bench/run put Spark and our program for it. */
    static final String LIBRARIES = "weir.bench.spark";

    /** Measured with 1, 2 and 4: 4 needs a quarter more processor time, 1 and 2 the same. */
    private static final int PARTITIONS_PER_CORE = 2;

    /** The collector of Weir; Spark needs a little less processor time with it, too. */
    private static final List<String> JVM = List.of("-Xmx4g", "-XX:+UseParallelGC");

    private static final String READY = "READY ";
    private static final int LOG_CHARACTERS = 4_000;
    private static final long END_SECONDS = 20;

    /** What Spark opens with its own scripts; without them it does not start on Java 17. */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "jdk.internal.ref",
            "sun.nio.ch",
            "sun.nio.cs",
            "sun.security.action",
            "sun.util.calendar");

    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;
    private final Path log;
    private final String settings;

    private SparkSide(Process process, Path log) throws IOException {
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.log = log;
        this.settings = answer().substring(READY.length()) + ", " + String.join(" ", JVM);
    }

    /**
     * @param directory of Spark alone, made if missing
     * @throws IllegalStateException if Spark was not built or does not start
     */
    static SparkSide start(SourceConfig database, Path directory) throws IOException {
        return start(
                command(libraries(), database, directory),
                Map.of("PGPASSWORD", database.password()),
                directory);
    }

    /**
     * Another program of ours, which needs no database.
     *
     * @param directory of Spark alone, made if missing
     * @param program name of its class
     */
    static SparkSide start(String program, Path directory) throws IOException {
        return start(command(libraries(), program, directory), Map.of(), directory);
    }

    private static SparkSide start(
            List<String> command, Map<String, String> environment, Path directory)
            throws IOException {
        Files.createDirectories(directory);
        Path log = directory.resolve("spark.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            return new SparkSide(process, log);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static Path libraries() {
        Path libraries = Path.of(System.getProperty(LIBRARIES, "bench/spark/target/lib"));
        if (!Files.isDirectory(libraries)) {
            throw new IllegalStateException("Cannot start Spark: " + libraries
                    + " is missing (run bench/run, or leave Spark out by --without-spark)");
        }
        return libraries;
    }

    private static List<String> command(Path libraries, SourceConfig database, Path directory) {
        int cores = Runtime.getRuntime().availableProcessors();
        List<String> command = command(libraries, "SparkMain", directory);
        command.add(command.size() - 1, database.url());
        command.add(command.size() - 1, database.user());
        command.add(Integer.toString(PARTITIONS_PER_CORE * cores));
        return command;
    }

    private static List<String> command(Path libraries, String program, Path directory) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        command.add("-Djdk.reflect.useDirectMethodHandle=false");
        command.add("-Dio.netty.tryReflectionSetAccessible=true");
        command.add("-cp");
        command.add(libraries.toAbsolutePath() + "/*");
        command.add("io.weir.bench.spark." + program);
        command.add(directory.toAbsolutePath().toString());
        return command;
    }

    /** Versions and settings, for a person. */
    String settings() {
        return settings;
    }

    /** Loads and checks a small table, so that nothing is done for the first time later. */
    void warmUp() throws IOException {
        ask("warm-up");
    }

    /** Seconds that a load took. */
    double load() throws IOException {
        return ask("load");
    }

    /** Seconds that a load took together with checks like those of Weir. */
    double loadChecked() throws IOException {
        return ask("load-checked");
    }

    /** The number that a command answers with. */
    double ask(String command) throws IOException {
        send(command);
        return Double.parseDouble(answer());
    }

    private void send(String command) throws IOException {
        commands.write(command);
        commands.newLine();
        commands.flush();
    }

    private String answer() throws IOException {
        @Nullable String line = answers.readLine();
        if (line == null) {
            String said = Files.readString(log);
            throw new IllegalStateException("Cannot go on with Spark: it ended. "
                    + said.substring(Math.max(0, said.length() - LOG_CHARACTERS)));
        }
        return line;
    }

    @Override
    public void close() {
        try {
            send("exit");
            if (process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (IOException e) {
            // It ended by itself, and answer() has told of it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
