package io.weir.app;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Two {@code weir server} processes over one ledger, each on a port that it keeps. */
final class ServerPair implements AutoCloseable {
    static final int SERVERS = 2;

    private static final String SERVING = "Serving on ";

    private final Path directory;
    private final Path jobFile;
    private final AtomicReferenceArray<@Nullable Process> processes =
            new AtomicReferenceArray<>(SERVERS);
    private final AtomicReferenceArray<@Nullable String> addresses =
            new AtomicReferenceArray<>(SERVERS);
    private final Thread hook = new Thread(this::end, "server-pair");

    ServerPair(Path directory, Path jobFile) {
        this.directory = directory;
        this.jobFile = jobFile;
        Runtime.getRuntime().addShutdownHook(hook);
        for (int i = 0; i < SERVERS; i++) {
            start(i);
        }
    }

    String address(int index) {
        return Objects.requireNonNull(addresses.get(index));
    }

    /** Starts one and waits until it serves. */
    void start(int index) {
        String known = addresses.get(index);
        String port = known == null ? "0" : known.substring(known.lastIndexOf(':') + 1);
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                Weir.class.getName()));
        words.addAll(List.of("server", "-f", jobFile.toString(), "--port", port));
        try {
            Process process = new ProcessBuilder(words)
                    .directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
            processes.set(index, process);
            BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
            String line = lines.readLine();
            while (line != null && !line.startsWith(SERVING)) {
                line = lines.readLine();
            }
            if (line == null) {
                throw new IllegalStateException("A server ended before it served: " + complaints());
            }
            addresses.set(index, line.substring(SERVING.length()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills one, by its pid, in the middle of whatever it does. */
    void kill(int index) throws InterruptedException {
        Process process = Objects.requireNonNull(processes.get(index));
        process.destroyForcibly();
        process.waitFor();
    }

    private Path log() {
        return directory.resolve("servers.log");
    }

    /** What both wrote to their logs. */
    String complaints() {
        try {
            return Files.readString(log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (Runtime.getRuntime().removeShutdownHook(hook)) {
            end();
        }
    }

    private void end() {
        for (int i = 0; i < SERVERS; i++) {
            Process process = processes.get(i);
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }
}
