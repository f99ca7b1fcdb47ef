package io.weir.ledger.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Brings up the server of a home. Its caller holds the lock of the home. */
final class ServerStart {
    private static final Pattern PORT_LINE = Pattern.compile("port = '([0-9]{1,5})'");
    private static final Duration INITDB_LIMIT = Duration.ofMinutes(3);
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration LEFTOVER_LIMIT = Duration.ofSeconds(20);
    private static final int PORT_ATTEMPTS = 5;
    private static final int LOG_TAIL = 600;
    private static final long LOG_BYTES_MAX = 10L << 20;

    /** Longest path of a UNIX socket, less the name that PostgreSQL appends. */
    private static final int SOCKET_DIRECTORY_BYTES_MAX = 107 - "/.s.PGSQL.65535".length();

    private final ServerHome home;
    private final Map<String, String> settings;
    private final Launch launch;
    private final Binaries binaries;

    private ServerStart(ServerHome home, Map<String, String> settings) {
        this.home = home;
        this.settings = settings;
        this.launch = Launch.probe(home);
        this.binaries = Binaries.unpack(home);
    }

    static Postmaster start(ServerHome home, Map<String, String> settings) {
        home.removeUnfinished();
        ServerStart start = new ServerStart(home, settings);
        start.initialise();
        start.awaitLeftovers();
        if (Postmaster.find(home).isPresent()) {
            // The pg_ctl of a killed starter has done the work meanwhile.
            return awaitReady(home);
        }
        start.rotateLog();
        return start.startOnFreePort();
    }

    private void initialise() {
        launch.handOver(home.root());
        home.ensurePassword();
        launch.handOver(home.passwordFile());
        if (home.isInitialised()) {
            return;
        }
        Path draft = home.unfinished("data");
        boolean done = launch.run(
                List.of(
                        binaries.program("initdb"),
                        "--pgdata=" + draft,
                        "--username=" + ServerHome.USER,
                        "--pwfile=" + home.passwordFile(),
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--data-checksums"),
                home.commandLog(),
                INITDB_LIMIT);
        if (!done) {
            throw ServerHome.failure(
                    "Cannot initialise embedded PostgreSQL in " + home.data() + ": "
                            + ServerHome.tail(home.commandLog(), LOG_TAIL),
                    null);
        }
        try {
            Files.move(draft, home.data(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw ServerHome.failure("Cannot move the data directory to " + home.data(), e);
        }
    }

    /** Backends of a killed postmaster leave by themselves; data is not touched before. */
    private void awaitLeftovers() {
        boolean settled = Waiting.until(
                LEFTOVER_LIMIT,
                () -> Postmaster.find(home).isPresent() || !Postmaster.isDataInUse(home));
        if (!settled) {
            throw ServerHome.failure(
                    "Cannot start embedded PostgreSQL: processes of a dead server still use "
                            + home.data() + " (waited=" + LEFTOVER_LIMIT + ")",
                    null);
        }
        if (Postmaster.recordedPid(home).filter(this::isStranger).isPresent()) {
            // PostgreSQL would take the stranger for a postmaster and refuse to start for ever.
            deletePidFile();
        }
    }

    /**
     * Whether a living process is certainly no server of this home. A postmaster writes its pid
     * when its words are already those of a postmaster, so one look at that pid is enough.
     */
    private boolean isStranger(long pid) {
        List<String> words = Postmaster.command(pid);
        return !words.isEmpty() && !words.contains(home.data().toString());
    }

    private void deletePidFile() {
        try {
            Files.deleteIfExists(Postmaster.file(home));
        } catch (IOException e) {
            throw ServerHome.failure("Cannot remove " + Postmaster.file(home), e);
        }
    }

    private void rotateLog() {
        try {
            if (Files.exists(home.log()) && Files.size(home.log()) > LOG_BYTES_MAX) {
                Files.move(
                        home.log(),
                        home.root().resolve("server.log.1"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw ServerHome.failure("Cannot rotate " + home.log(), e);
        }
    }

    private Postmaster startOnFreePort() {
        for (int attempt = 1; attempt <= PORT_ATTEMPTS; attempt++) {
            long logBytes = size(home.log());
            writeConfiguration(
                    attempt == 1 ? lastPort().orElseGet(ServerStart::freePort) : freePort());
            if (launch.run(startCommand(), home.commandLog(), START_LIMIT)) {
                break;
            }
            // A killed starter may have left a pg_ctl that won the race; then its server is ours.
            if (Postmaster.find(home).isPresent()) {
                break;
            }
            String log = since(home.log(), logBytes);
            if (!log.contains("could not bind") || attempt == PORT_ATTEMPTS) {
                throw ServerHome.failure(
                        "Cannot start embedded PostgreSQL in " + home.data() + ": " + reason(log),
                        null);
            }
        }
        return awaitReady(home);
    }

    private String reason(String log) {
        String text = log.isBlank() ? ServerHome.tail(home.commandLog(), LOG_TAIL) : log;
        return text.substring(Math.max(0, text.length() - LOG_TAIL)).strip();
    }

    static Postmaster awaitReady(ServerHome home) {
        boolean ready = Waiting.until(
                START_LIMIT, () -> Postmaster.find(home).map(Postmaster::ready).orElse(true));
        return Postmaster.find(home)
                .filter(postmaster -> ready)
                .orElseThrow(() -> ServerHome.failure(
                        "Cannot start embedded PostgreSQL in " + home.data()
                                + ": it does not become ready (log="
                                + ServerHome.tail(home.log(), LOG_TAIL) + ")",
                        null));
    }

    /** pg_ctl puts the server into a session of its own, away from signals to this command. */
    private List<String> startCommand() {
        return List.of(
                binaries.program("pg_ctl"),
                "start",
                "--pgdata=" + home.data(),
                "--log=" + home.log(),
                "--wait",
                "--timeout=60",
                "--silent");
    }

    private void writeConfiguration(int port) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("max_connections", "100");
        all.put("shared_buffers", "128MB");
        all.put("timezone", "UTC");
        all.put("log_timezone", "UTC");
        all.put("log_line_prefix", "%m [%p] %q%a %d ");
        all.put(EmbeddedServer.IDLE_SETTING, EmbeddedServer.IDLE_DEFAULT_MS);
        all.putAll(settings);
        // Last, because these are promises: nothing acknowledged is lost, nobody else gets in.
        all.put("fsync", "on");
        all.put("full_page_writes", "on");
        all.put("synchronous_commit", "on");
        all.put("listen_addresses", "127.0.0.1");
        all.put("port", Integer.toString(port));
        all.put("unix_socket_directories", socketDirectory());
        all.put("unix_socket_permissions", "0700");
        all.put("password_encryption", "scram-sha-256");
        StringBuilder text = new StringBuilder("# Written by Weir at every start.\n");
        all.forEach((name, value) -> text.append(name)
                .append(" = '")
                .append(value.replace("\\", "\\\\").replace("'", "''"))
                .append("'\n"));
        Path file = configuration();
        home.writePrivate(file, text.toString());
        launch.handOver(file);
    }

    private String socketDirectory() {
        String path = home.root().toString();
        boolean fits = path.getBytes(StandardCharsets.UTF_8).length <= SOCKET_DIRECTORY_BYTES_MAX
                && !path.contains(",");
        return fits ? path : "";
    }

    /** Commands that lost the server look for it where it was. */
    private Optional<Integer> lastPort() {
        try {
            return Files.readAllLines(configuration(), StandardCharsets.UTF_8).stream()
                    .map(PORT_LINE::matcher)
                    .filter(Matcher::matches)
                    .map(line -> Integer.parseInt(line.group(1)))
                    .filter(ServerStart::isFree)
                    .findFirst();
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort() == port;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    private Path configuration() {
        return home.data().resolve("postgresql.conf");
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw ServerHome.failure("Cannot find a free port", e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    private static String since(Path file, long offset) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            int from = (int) Math.min(offset, bytes.length);
            return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
