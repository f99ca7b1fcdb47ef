package io.weir.ledger.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the operating system says about the processes of a home. */
final class ServerProcesses {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private ServerProcesses() {}

    static List<Long> postmasters(Path home) {
        return ProcessHandle.allProcesses()
                .filter(process -> isServer(home, process))
                // A server process that was just forked still has the command of its postmaster.
                .filter(process -> process.parent()
                        .filter(parent -> isServer(home, parent))
                        .isEmpty())
                .map(ProcessHandle::pid)
                .toList();
    }

    private static boolean isServer(Path home, ProcessHandle process) {
        List<String> command = Postmaster.command(process.pid());
        return command.size() > 1
                && command.get(0).endsWith("/bin/postgres")
                && command.contains(home.resolve("data").toString());
    }

    static List<Long> keepers(Path home) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(Keeper::isKeeper)
                .filter(pid -> Postmaster.command(pid).contains(home.toString()))
                .toList();
    }

    static List<Long> all(Path home) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> pid != ProcessHandle.current().pid())
                .filter(pid -> Postmaster.command(pid).stream()
                        .anyMatch(word -> word.contains(home.toString())))
                .toList();
    }

    /** Sixth field of the process's stat line, after the name in parentheses. */
    static String session(long pid) throws IOException {
        String stat = Files.readString(
                Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.UTF_8);
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3];
    }

    static void kill(long pid) throws Exception {
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        assertThat(process).isPresent();
        assertThat(process.get().destroyForcibly()).isTrue();
        await().atMost(PATIENCE).until(() -> Postmaster.command(pid).isEmpty());
    }

    static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    /** Whether the home has a file whose name starts so. */
    static boolean hasEntry(Path home, String prefix) throws IOException {
        if (!Files.isDirectory(home)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(home)) {
            return entries.anyMatch(
                    entry -> String.valueOf(entry.getFileName()).startsWith(prefix));
        }
    }
}
