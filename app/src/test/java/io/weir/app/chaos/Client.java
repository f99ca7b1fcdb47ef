package io.weir.app.chaos;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One process of the {@code weir} command, and what it printed: an entry of the journal. */
final class Client {
    private final List<String> arguments;
    private final Instant started;
    private final Process process;
    private final Path out;
    private final Path err;

    Client(List<String> arguments, Process process, Path out, Path err) {
        this.arguments = List.copyOf(arguments);
        this.started = Instant.now();
        this.process = process;
        this.out = out;
        this.err = err;
    }

    boolean isLoad() {
        return arguments.get(0).equals("load");
    }

    /** The value of an option of its command line. */
    String option(String name) {
        return arguments.get(arguments.indexOf(name) + 1);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() {
        return process.exitValue();
    }

    void awaitEnd() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    void stopPolitely() {
        process.destroy();
    }

    /** Freezes it, as a machine that swaps would. */
    void pause() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(10, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The certificates that it printed. */
    List<JsonNode> certificates() {
        return lines().stream()
                .filter(line -> line.has("certificate"))
                .map(line -> line.get("certificate"))
                .toList();
    }

    /** What it said about one kind of step. */
    List<JsonNode> steps(String step) {
        return lines().stream()
                .filter(line -> line.path("step").asText().equals(step))
                .toList();
    }

    /** A process that was killed may have left half a line; nobody could read that. */
    private List<JsonNode> lines() {
        List<JsonNode> lines = new ArrayList<>();
        String text = read(out);
        int end = text.lastIndexOf('\n');
        if (end > 0) {
            text.substring(0, end)
                    .lines()
                    .filter(line -> line.startsWith("{"))
                    .forEach(line -> lines.add(Json.parse(line)));
        }
        return lines;
    }

    String complaints() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        String end = isAlive() ? "runs" : "exit " + exitCode();
        return started + " pid " + process.pid() + " weir " + String.join(" ", arguments) + ": "
                + end + " " + out.getFileName();
    }
}
