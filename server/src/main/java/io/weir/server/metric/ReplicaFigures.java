package io.weir.server.metric;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.watch.WatchBooks.EndedWindow;
import io.weir.ledger.watch.WatchBooks.ReplicaLag;

import java.time.Duration;
import java.util.List;
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

    ReplicaFigures(MeterRegistry registry) {
        this.registry = registry;
        this.bytes = MultiGauge.builder("weir.replica.lag.bytes").register(registry);
        this.seconds = MultiGauge.builder("weir.replica.lag.seconds").register(registry);
        this.failures = MultiGauge.builder("weir.replica.failures").register(registry);
        this.stopped = MultiGauge.builder("weir.replica.stopped").register(registry);
    }

    /** Takes over where each table is and which windows ended since the look before. */
    void look(List<ReplicaLag> replicas, List<EndedWindow> ended) {
        show(bytes, replicas, ReplicaLag::bytes);
        show(seconds, replicas, ReplicaLag::seconds);
        show(failures, replicas, ReplicaLag::failures);
        show(stopped, replicas, table -> table.state() == ReplicaState.STOPPED ? 1 : 0);
        ended.forEach(this::ended);
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
