package io.weir.ledger.embedded;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How server programs are run. PostgreSQL refuses to run as root, so root runs it in a user
 * namespace of its own or as an unprivileged user.
 *
 * @param prefix words before the command
 * @param owner who must own the files of the server, null if the current user does
 */
record Launch(List<String> prefix, @Nullable String owner) {
    /** As whoever we are. */
    static final Launch PLAIN = new Launch(List.of(), null);

    private static final Duration PROBE_LIMIT = Duration.ofSeconds(10);
    private static final List<String> UNPRIVILEGED = List.of("postgres", "nobody");
    private static final int ROOT = 0;

    Launch {
        prefix = List.copyOf(prefix);
    }

    /** The first way that works on this machine and fits the owner of the data, if there is any. */
    static Launch probe(ServerHome home) {
        if (userId() != ROOT) {
            return PLAIN;
        }
        for (Launch candidate : candidatesOfRoot()) {
            if (candidate.mayUse(home) && candidate.dropsRoot()) {
                return candidate;
            }
        }
        throw ServerHome.failure(
                "Cannot start embedded PostgreSQL as root: neither a user namespace nor an"
                        + " unprivileged user can be had (tried=unshare, setpriv, runuser)",
                null);
    }

    /** Data that one user wrote cannot be read by another. */
    private boolean mayUse(ServerHome home) {
        if (!home.isInitialised()) {
            return true;
        }
        try {
            String writer = Files.getOwner(home.data()).getName();
            return writer.equals(owner == null ? "root" : owner);
        } catch (IOException e) {
            throw ServerHome.failure("Cannot read " + home.data(), e);
        }
    }

    private static List<Launch> candidatesOfRoot() {
        List<Launch> candidates = new ArrayList<>();
        candidates.add(new Launch(List.of("unshare", "-U"), null));
        for (String user : UNPRIVILEGED) {
            asUser(user).ifPresent(candidates::add);
            candidates.add(new Launch(List.of("runuser", "-u", user, "--"), user));
        }
        return candidates;
    }

    private static Optional<Launch> asUser(String user) {
        return groupOf(user)
                .map(group -> new Launch(
                        List.of(
                                "setpriv",
                                "--reuid=" + user,
                                "--regid=" + group,
                                "--clear-groups",
                                "--inh-caps=-all"),
                        user));
    }

    /** The number of the user's own group; none if the machine does not know the user. */
    private static Optional<String> groupOf(String user) {
        try {
            return Files.readAllLines(Path.of("/etc/passwd"), StandardCharsets.UTF_8).stream()
                    .map(line -> List.of(line.split(":", -1)))
                    .filter(fields -> fields.size() > 3 && fields.get(0).equals(user))
                    .map(fields -> fields.get(3))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private boolean dropsRoot() {
        try {
            Process process =
                    builder(List.of("id", "-u")).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String answer =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return waitFor(process, PROBE_LIMIT)
                    && process.exitValue() == 0
                    && !answer.strip().equals("0");
        } catch (IOException e) {
            // The program is not installed, so this way is none.
            return false;
        }
    }

    /** Gives a file or directory to the user who runs the server. */
    void handOver(Path path) {
        if (owner == null) {
            return;
        }
        try {
            Files.setOwner(
                    path,
                    path.getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByName(owner));
        } catch (IOException e) {
            throw ServerHome.failure("Cannot give " + path + " to user " + owner, e);
        }
    }

    /**
     * Runs a program to its end, output into a file.
     *
     * @return whether it ended well in time
     */
    boolean run(List<String> command, Path output, Duration limit) {
        try {
            Process process = builder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            return waitFor(process, limit) && process.exitValue() == 0;
        } catch (IOException e) {
            throw ServerHome.failure("Cannot run " + command.get(0), e);
        }
    }

    private ProcessBuilder builder(List<String> command) {
        List<String> words = new ArrayList<>(prefix);
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words);
        keepOnlyPath(builder.environment());
        return builder;
    }

    /** No PGDATA, no locale, no secret of the caller reaches the server. */
    static void keepOnlyPath(Map<String, String> environment) {
        environment.keySet().removeIf(name -> !name.equals("PATH"));
        environment.put("LC_ALL", "C");
        environment.put("TZ", "UTC");
    }

    private static boolean waitFor(Process process, Duration limit) {
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return true;
            }
            process.destroyForcibly();
            return false;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw ServerHome.failure("Cannot wait for embedded PostgreSQL", e);
        }
    }

    private static int userId() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            return "root".equals(System.getProperty("user.name")) ? ROOT : -1;
        }
    }
}
