package io.weir.app.chaos;

import io.weir.app.Weir;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.proxy.FaultProxy;
import io.weir.testkit.proxy.Protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A ledger with a server of its own behind a proxy, a lake, a job file, and processes. */
final class House implements AutoCloseable {
    static final Duration LEASE = Duration.ofSeconds(3);

    private static final String BOOKS = "weir";
    private static final Duration KILL_LIMIT = Duration.ofSeconds(20);
    private static final Map<String, String> SETTINGS =
            Map.of(EmbeddedServer.IDLE_SETTING, "3600000", "shared_buffers", "32MB");

    private final Path directory;
    private final Path jobFile;
    private final FaultProxy proxy;
    private final Queue<Client> journal = new ConcurrentLinkedQueue<>();
    private final AtomicInteger clients = new AtomicInteger();
    private final Thread hook = new Thread(this::end, "chaos-house");
    private volatile EmbeddedServer server;

    House(Path directory, TestDatabase shop) {
        this.directory = directory;
        this.server = EmbeddedServer.attach(directory.resolve("pg"), SETTINGS);
        server.createDatabase(BOOKS);
        URI place = place();
        this.proxy = FaultProxy.start(Protocol.POSTGRESQL, place.getHost(), place.getPort());
        this.jobFile = write(shop);
        // A build that is stopped must not leave processes behind that nobody looks after.
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private URI place() {
        return URI.create(url().substring("jdbc:".length()));
    }

    private Path write(TestDatabase shop) {
        String text = """
                ledger: { url: "jdbc:postgresql://%s:%d/%s", user: %s, password: "%s" }
                lease: %ds
                lake: { warehouse: ./lake }
                sources:
                  shop: { url: "%s", user: %s, password: "%s" }
                jobs:
                  events:
                    load: { source: shop, table: public.events, into: shop.events,
                      partition-size: 256KB, chunk-size: 64KB }
                    publish: append
                  cut:
                    load:
                      source: shop
                      tables:
                        public.customers: { into: shop.customers }
                        public.orders: { into: shop.orders }
                      partition-size: 256KB
                      chunk-size: 64KB
                    publish: replace
                """.formatted(
                        proxy.host(),
                        proxy.port(),
                        BOOKS,
                        server.user(),
                        server.password(),
                        LEASE.toSeconds(),
                        shop.url(),
                        shop.user(),
                        shop.password());
        try {
            Files.createDirectories(directory.resolve("journal"));
            Files.createDirectories(directory.resolve("tmp"));
            return Files.writeString(directory.resolve("job.yaml"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path directory() {
        return directory;
    }

    /** Where the processes keep what DuckDB spills. */
    Path spill() {
        return directory.resolve("home").resolve("tmp");
    }

    Path jobFile() {
        return jobFile;
    }

    FaultProxy proxy() {
        return proxy;
    }

    /** The ledger itself, without the proxy. */
    String url() {
        return server.url(BOOKS);
    }

    String user() {
        return server.user();
    }

    String password() {
        return server.password();
    }

    /** Starts a process: {@code load} or {@code worker} and what follows the job file. */
    Client start(String command, String... more) {
        List<String> arguments = new ArrayList<>(List.of(command, jobFile.toString()));
        arguments.addAll(List.of(more));
        arguments.addAll(List.of("--json", "--workers", "2", "--home", home()));
        String name = clients.incrementAndGet() + "-" + command;
        Path out = directory.resolve("journal").resolve(name + ".out");
        Path err = directory.resolve("journal").resolve(name + ".err");
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + directory.resolve("tmp"),
                "-cp",
                System.getProperty("java.class.path"),
                Weir.class.getName()));
        words.addAll(arguments);
        try {
            Process process = new ProcessBuilder(words)
                    .directory(directory.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            Client client = new Client(arguments, process, out, err);
            journal.add(client);
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String home() {
        return directory.resolve("home").toString();
    }

    /** Every process that was started, in order. */
    List<Client> journal() {
        return List.copyOf(journal);
    }

    /** Kills the postmaster of the ledger; what was acknowledged is on disk. */
    void killLedger() {
        Path file = directory.resolve("pg").resolve("data").resolve("postmaster.pid");
        try {
            long pid = Long.parseLong(Files.readAllLines(file).get(0).strip());
            ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
            postmaster.destroyForcibly();
            if (!Clock.until(KILL_LIMIT, () -> !postmaster.isAlive())) {
                throw new IllegalStateException("Postmaster " + pid + " does not die");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the ledger again; the proxy leads to its new port. */
    void startLedger() {
        server = EmbeddedServer.attach(directory.resolve("pg"), SETTINGS);
        URI place = place();
        proxy.lead(place.getHost(), place.getPort());
    }

    /** Processes whose command line names this house, all but this one. */
    List<String> processes() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> pid != ProcessHandle.current().pid())
                .map(House::command)
                .filter(words -> words.contains(directory.toString()))
                .toList();
    }

    private static String command(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"))
                    .replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        if (Runtime.getRuntime().removeShutdownHook(hook)) {
            end();
        }
    }

    private void end() {
        for (Client client : journal) {
            if (client.isAlive()) {
                client.kill();
                client.awaitEnd();
            }
        }
        proxy.close();
        EmbeddedServer.stop(directory.resolve("pg"));
    }
}
