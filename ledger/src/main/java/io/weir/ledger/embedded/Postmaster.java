package io.weir.ledger.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A living server process, as {@code postmaster.pid} tells it.
 *
 * @param ready whether it accepts connections
 */
record Postmaster(long pid, int port, boolean ready) {
    private static final int LINE_PID = 0;
    private static final int LINE_PORT = 3;
    private static final int LINE_STATUS = 7;

    /** The server of a home, if one lives; a pid that now belongs to a stranger does not count. */
    static Optional<Postmaster> find(ServerHome home) {
        List<String> lines = lines(home);
        if (lines.size() <= LINE_PORT) {
            return Optional.empty();
        }
        try {
            long pid = Long.parseLong(lines.get(LINE_PID).strip());
            int port = Integer.parseInt(lines.get(LINE_PORT).strip());
            boolean ready =
                    lines.size() > LINE_STATUS && lines.get(LINE_STATUS).strip().equals("ready");
            if (command(pid).contains(home.data().toString())) {
                return Optional.of(new Postmaster(pid, port, ready));
            }
            return Optional.empty();
        } catch (NumberFormatException e) {
            // The file is being written.
            return Optional.empty();
        }
    }

    /** The pid in the file, whoever has it now. */
    static Optional<Long> recordedPid(ServerHome home) {
        List<String> lines = lines(home);
        try {
            return lines.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Long.parseLong(lines.get(LINE_PID).strip()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Whether any process, a left-over backend for one, still works in the data directory. */
    static boolean isDataInUse(ServerHome home) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> worksIn(process.pid(), home.data()));
    }

    static Path file(ServerHome home) {
        return home.data().resolve("postmaster.pid");
    }

    private static List<String> lines(ServerHome home) {
        try {
            return Files.readAllLines(file(home), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean worksIn(long pid, Path directory) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .equals(directory);
        } catch (IOException e) {
            return false;
        }
    }

    /** The words of a running command; none for a process that ended and waits to be reaped. */
    static List<String> command(long pid) {
        try {
            String words = Files.readString(
                    Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.UTF_8);
            return List.of(words.split("\0", -1));
        } catch (IOException e) {
            return List.of();
        }
    }
}
