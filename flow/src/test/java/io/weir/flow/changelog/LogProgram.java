package io.weir.flow.changelog;

import io.weir.testkit.postgresql.TestDatabase;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Keeps the logs of a house in a process of its own and says every step. */
final class LogProgram {
    private static final long ENGINE_BYTES = 128L << 20;

    private LogProgram() {}

    /**
     * Host, port, user, password, names of source and books, directory, most rows of a commit, and
     * the place behind which it ends.
     */
    public static void main(String[] args) {
        int port = Integer.parseInt(args[1]);
        TestDatabase source = new TestDatabase(args[0], port, args[4], args[2], args[3]);
        TestDatabase books = new TestDatabase(args[0], port, args[5], args[2], args[3]);
        PrintWriter said = new PrintWriter(
                new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        try (LogHouse house = new LogHouse(source, books, Path.of(args[6]), ENGINE_BYTES)) {
            house.keepUntil(
                    house.settings(Long.parseLong(args[7]), Duration.ofMillis(50)),
                    Long.parseLong(args[8]),
                    said::println);
        }
    }

    /** Starts one. */
    static ProcessBuilder command(
            String heap,
            TestDatabase source,
            TestDatabase books,
            Path directory,
            long rowsMax,
            long until) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(heap, "--add-opens=java.base/java.nio=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(LogProgram.class.getName());
        command.addAll(List.of(
                source.host(),
                Integer.toString(source.port()),
                source.user(),
                source.password(),
                source.name(),
                books.name(),
                directory.toString(),
                Long.toString(rowsMax),
                Long.toString(until)));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }
}
