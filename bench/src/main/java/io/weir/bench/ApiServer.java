package io.weir.bench;

import io.weir.app.Weir;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A {@code weir server} as a process of its own, on the same port each time. */
final class ApiServer {
    private static final String SERVING = "Serving on ";

    private final Path home;
    private @Nullable Process process;
    private @Nullable String address;

    ApiServer(Path home) {
        this.home = home;
    }

    String address() {
        return Objects.requireNonNull(address);
    }

    /** Starts it and waits until it serves. */
    void start() throws IOException {
        String known = address;
        String port = known == null ? "0" : known.substring(known.lastIndexOf(':') + 1);
        Process started = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseParallelGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Weir.class.getName(),
                        "server",
                        "--port",
                        port,
                        "--home",
                        home.toString()))
                .redirectError(home.resolve("server.log").toFile())
                .start();
        process = started;
        BufferedReader lines = started.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        while (line != null && !line.startsWith(SERVING)) {
            line = lines.readLine();
        }
        if (line == null) {
            throw new IllegalStateException("The server ended before it served");
        }
        address = line.substring(SERVING.length());
    }

    /** Asks it to stop and waits for its end. */
    void stop() {
        Process running = process;
        if (running == null) {
            return;
        }
        running.destroy();
        try {
            running.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
