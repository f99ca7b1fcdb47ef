package io.weir.server.metric;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.watch.WatchBooks.EndedWindow;
import io.weir.ledger.watch.WatchBooks.OpenWindow;
import io.weir.ledger.watch.WatchBooks.ReplicaLag;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** How replication does, as one server sees it in the ledger. */
final class ReplicaFigures {
    private static final Duration[] DURATIONS = {
        Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(5),
        Duration.ofSeconds(30), Duration.ofMinutes(5), Duration.ofMinutes(30)
    };

    private final MeterRegistry registry;
    private final MultiGauge bytes;
    private final MultiGauge seconds;
    private final MultiGauge failures;
    private final MultiGauge stopped;
    private final MultiGauge concurrent;

    ReplicaFigures(MeterRegistry registry) {
        this.registry = registry;
        this.bytes = MultiGauge.builder("weir.replica.lag.bytes").register(registry);
        this.seconds = MultiGauge.builder("weir.replica.lag.seconds").register(registry);
        this.failures = MultiGauge.builder("weir.replica.failures").register(registry);
        this.stopped = MultiGauge.builder("weir.replica.stopped").register(registry);
        this.concurrent = MultiGauge.builder("weir.replica.merges.concurrent").register(registry);
    }

    /**
     * Takes over where each table is.
     *
     * @param ended since the look before
     * @param open now
     */
    void look(List<ReplicaLag> replicas, List<EndedWindow> ended, List<OpenWindow> open) {
        show(bytes, replicas, ReplicaLag::bytes);
        show(seconds, replicas, ReplicaLag::seconds);
        show(failures, replicas, ReplicaLag::failures);
        show(stopped, replicas, table -> table.state() == ReplicaState.STOPPED ? 1 : 0);
        concurrent.register(
                replicas.stream()
                        .map(ReplicaLag::job)
                        .distinct()
                        .<Row<?>>map(job -> Row.of(Tags.of("job", job), atOnce(job, ended, open)))
                        .toList(),
                true);
        ended.forEach(this::ended);
    }

    /** The most windows of a job that were under way at one moment. */
    static long atOnce(String job, List<EndedWindow> ended, List<OpenWindow> open) {
        Map<Instant, Long> begins = new HashMap<>();
        Map<Instant, Long> ends = new HashMap<>();
        for (EndedWindow window : ended) {
            if (window.job().equals(job)) {
                begins.merge(window.endedAt().minus(window.duration()), 1L, Long::sum);
                ends.merge(window.endedAt(), 1L, Long::sum);
            }
        }
        for (OpenWindow window : open) {
            if (window.job().equals(job)) {
                begins.merge(window.openedAt(), 1L, Long::sum);
            }
        }
        SortedSet<Instant> moments = new TreeSet<>(begins.keySet());
        moments.addAll(ends.keySet());
        long most = 0;
        long underWay = 0;
        for (Instant moment : moments) {
            // What ends at the moment at which another one begins was not beside it.
            underWay -= ends.getOrDefault(moment, 0L);
            underWay += begins.getOrDefault(moment, 0L);
            most = Math.max(most, underWay);
        }
        return most;
    }

    private static void show(
            MultiGauge gauge, List<ReplicaLag> replicas, ToDoubleFunction<ReplicaLag> figure) {
        gauge.register(
                replicas.stream()
                        .<Row<?>>map(table -> Row.of(
                                Tags.of("job", table.job(), "table", table.table()),
                                figure.applyAsDouble(table)))
                        .toList(),
                true);
    }

    private void ended(EndedWindow window) {
        Timer.builder("weir.replica.window.duration")
                .serviceLevelObjectives(DURATIONS)
                .tag("job", window.job())
                .tag("outcome", window.published() ? "published" : "abandoned")
                .register(registry)
                .record(window.duration());
        rows(window.job(), "in", window.rowsIn());
        rows(window.job(), "out", window.rowsOut());
    }

    private void rows(String job, String direction, long rows) {
        registry.counter("weir.replica.rows", "job", job, "direction", direction)
                .increment((double) rows);
    }
}
