package io.weir.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;

import io.weir.core.json.Json;
import io.weir.flow.load.Cancellation;
import io.weir.flow.replicate.ReplicateListener;
import io.weir.flow.replicate.TableResult;
import io.weir.ledger.embedded.EmbeddedServer;
import io.weir.ledger.replica.Replica;
import io.weir.source.SourceConfig;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A continuous replication of three tables: how many changes per second it sustains, from the
 * commit at the source to the published table, and how old a change is then at a steady rate.
 * Source, ledger, catalog, lake and engine share the machine; nothing loses its durability.
 */
final class CaptureBench implements Bench {
    private static final int ROWS = 200_000;
    private static final int CHANGES = 1_000_000;
    private static final int CHANGES_QUICK = 300_000;
    private static final int CHANGES_WARM_UP = 60_000;
    private static final int CHANGES_OF_TRANSACTION = 100;
    private static final int RATE = 5_000;
    private static final int CHANGES_AT_RATE = 20;
    private static final int SECONDS = 120;
    private static final int SECONDS_QUICK = 30;
    private static final int SECONDS_WARM_UP = 5;
    private static final double NANOS = 1e9;
    private static final double MICROS = 1e6;
    private static final long GLANCE_NANOS = 1_000_000;
    private static final long END_NANOS = 300_000_000_000L;
    private static final double PERCENT_50 = 0.50;
    private static final double PERCENT_95 = 0.95;
    private static final String DATABASE = "bench";
    private static final String ASIDE = "weir_aside";

    private final Path home;
    private final SourceConfig source;
    private final ReplicaSide weir;
    private final boolean quick;

    private CaptureBench(Path home, SourceConfig source, ReplicaSide weir, boolean quick) {
        this.home = home;
        this.source = source;
        this.weir = weir;
        this.quick = quick;
    }

    static CaptureBench open(Path directory, boolean quick) throws IOException {
        Path home = directory.resolve("pg");
        EmbeddedServer server =
                EmbeddedServer.attach(home, Map.of("wal_level", "logical", "max_wal_size", "4GB"));
        server.createDatabase(DATABASE);
        SourceConfig source =
                new SourceConfig(DATABASE, server.url(DATABASE), server.user(), server.password());
        return new CaptureBench(home, source, new ReplicaSide(source, directory), quick);
    }

    /** A transaction that was committed: when, and a place of the log behind it. */
    private record Committed(String table, long nanos, long place) {}

    /** A table that was published: when, and up to where it is the source's. */
    private record Reached(long nanos, long place) {}

    /** Sees tables being published. */
    private static final class Arrivals implements ReplicateListener {
        private final Map<String, List<Reached>> reached = new HashMap<>();

        @Override
        public synchronized void merged(Replica replica, TableResult result) {
            reached.computeIfAbsent(result.table(), name -> new ArrayList<>())
                    .add(new Reached(System.nanoTime(), result.to().place()));
        }

        @Override
        public void failed(Replica replica) {
            throw new IllegalStateException("Failed: " + replica);
        }

        @Override
        public void stopped(Replica replica) {
            throw new IllegalStateException("Stopped: " + replica);
        }

        /** When a table first was at a place; 0 if it is not yet. */
        synchronized long when(String table, long place) {
            for (Reached one : reached.getOrDefault("public." + table, List.of())) {
                if (one.place() >= place) {
                    return one.nanos();
                }
            }
            return 0;
        }
    }

    @Override
    public ObjectNode run(Consumer<String> progress) throws Exception {
        progress.accept("filling three tables of " + ROWS + " rows");
        ChangingTables.fill(source, ROWS);
        weir.load();
        Cancellation stop = new Cancellation();
        Arrivals arrivals = new Arrivals();
        CompletableFuture<Void> replication =
                CompletableFuture.runAsync(() -> weir.replicate(stop, arrivals));
        ObjectNode figures = Json.object();
        try {
            progress.accept("warming up");
            sustain(arrivals, replication, CHANGES_WARM_UP);
            weir.keepAside(ASIDE);
            int changes = quick ? CHANGES_QUICK : CHANGES;
            OperatingSystemMXBean system =
                    (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            long cpu = system.getProcessCpuTime();
            double seconds = sustain(arrivals, replication, changes);
            double busy = (system.getProcessCpuTime() - cpu) / NANOS;
            progress.accept(changes + " changes in " + seconds + " s");
            List<Double> ages = ages(arrivals, replication);
            figures.put("changes_per_s", Math.round(changes / seconds))
                    .put("freshness_p50_s", rounded(ages.get((int) (ages.size() * PERCENT_50))))
                    .put("freshness_p95_s", rounded(ages.get((int) (ages.size() * PERCENT_95))))
                    .put("freshness_max_s", rounded(ages.get(ages.size() - 1)))
                    .put("cpu_us_per_change", Math.round(busy * MICROS / changes));
            stop.request();
            replication.join();
            progress.accept("reading the same changes from the stream alone");
            figures.put("stream_alone_per_s", Math.round(weir.readAlone(ASIDE, changes)))
                    .put("peak_rss_mb", Math.round(WeirSide.peakMegabytes()));
        } finally {
            stop.request();
        }
        ObjectNode document = Json.object().put("bench", "capture");
        document.putObject("ratios");
        document.set("figures", figures);
        return document;
    }

    /**
     * Commits as fast as it goes and waits until everything is published.
     *
     * @return seconds from the first commit
     */
    private double sustain(Arrivals arrivals, CompletableFuture<Void> replication, int changes)
            throws Exception {
        long start = System.nanoTime();
        Map<String, Committed> last = new HashMap<>();
        try (ChangingTables client = new ChangingTables(source, ROWS, changes)) {
            for (int done = 0; done < changes; done += CHANGES_OF_TRANSACTION) {
                String table = table(done / CHANGES_OF_TRANSACTION);
                long place = client.change(table, CHANGES_OF_TRANSACTION);
                last.put(table, new Committed(table, System.nanoTime(), place));
            }
            return (await(arrivals, replication, client, last) - start) / NANOS;
        }
    }

    private static String table(int number) {
        return ChangingTables.NAMES.get(number % ChangingTables.NAMES.size());
    }

    /**
     * Waits until each table is at a place. A place is not a commit: it may lie behind the last
     * one, so that a table is there only after another one. Hence commits go on.
     *
     * @return when the last one was there
     */
    private long await(
            Arrivals arrivals,
            CompletableFuture<Void> replication,
            ChangingTables client,
            Map<String, Committed> last)
            throws Exception {
        long asked = System.nanoTime();
        long limit = asked + END_NANOS;
        long end = 0;
        for (Committed committed : last.values()) {
            long when = arrivals.when(committed.table(), committed.place());
            while (when == 0) {
                if (replication.isDone()) {
                    replication.join();
                    throw new IllegalStateException("The replication ended");
                }
                if (System.nanoTime() > limit) {
                    throw new IllegalStateException("Not published: " + committed);
                }
                if (System.nanoTime() - asked > NANOS / 4) {
                    asked = System.nanoTime();
                    for (String name : ChangingTables.NAMES) {
                        client.change(name, 1);
                    }
                }
                LockSupport.parkNanos(GLANCE_NANOS);
                when = arrivals.when(committed.table(), committed.place());
            }
            end = Math.max(end, when);
        }
        return end;
    }

    /** Ages of changes when they were published, at a steady rate, the youngest first. */
    private List<Double> ages(Arrivals arrivals, CompletableFuture<Void> replication)
            throws Exception {
        List<Committed> all = new ArrayList<>();
        int seconds = quick ? SECONDS_QUICK : SECONDS;
        int transactions = RATE / CHANGES_AT_RATE * (seconds + SECONDS_WARM_UP);
        Map<String, Committed> last = new HashMap<>();
        long start = System.nanoTime();
        try (ChangingTables client = new ChangingTables(source, ROWS, seconds)) {
            for (int i = 0; i < transactions; i++) {
                long due = start + (long) (i * NANOS * CHANGES_AT_RATE / RATE);
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                String table = table(i);
                long place = client.change(table, CHANGES_AT_RATE);
                Committed committed = new Committed(table, System.nanoTime(), place);
                all.add(committed);
                last.put(table, committed);
            }
            double took = (System.nanoTime() - start) / NANOS;
            if (took > (seconds + SECONDS_WARM_UP) * 1.1) {
                throw new IllegalStateException("The source does not keep up: " + took + " s");
            }
            // At once: whoever waits here would count as waiting of the last transactions.
            await(arrivals, replication, client, last);
        }
        List<Double> ages = new ArrayList<>();
        for (Committed committed : all) {
            if (committed.nanos() - start > SECONDS_WARM_UP * NANOS) {
                long when = arrivals.when(committed.table(), committed.place());
                ages.add((when - committed.nanos()) / NANOS);
            }
        }
        ages.sort(null);
        return ages;
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }

    @Override
    public void close() {
        weir.close();
        EmbeddedServer.stop(home);
    }
}
