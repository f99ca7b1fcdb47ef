package io.weir.server.metric;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.Info;
import io.weir.ledger.fsck.Finding;
import io.weir.ledger.outside.OutsideDispatch;
import io.weir.ledger.outside.OutsideReplies;
import io.weir.ledger.watch.LedgerWatch;
import io.weir.ledger.watch.RunMove;
import io.weir.ledger.watch.WatchBooks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Counts what this server did and shows what the ledger held at the last look. */
public final class ServerMetrics {
    /** Every name that is exposed, as {@code docs/reference/api.md} lists them. */
    public static final List<String> NAMES = List.of(
            "weir_http_request_duration_seconds",
            "weir_claims_total",
            "weir_chunk_reports_total",
            "weir_dispatch_attempts_total",
            "weir_sweep_actions_total",
            "weir_runs",
            "weir_run_transitions_total",
            "weir_run_duration_seconds",
            "weir_rows_total",
            "weir_bytes_total",
            "weir_attempts_lost_total",
            "weir_lease_margin_ratio",
            "weir_dispatches",
            "weir_dispatch_oldest_age_seconds",
            "weir_publish_attempts_total",
            "weir_publish_unknown",
            "weir_publish_resolution_seconds",
            "weir_invariant_violations",
            "weir_alarm_open",
            "weir_ledger_tx_seconds",
            "weir_ledger_tx_retries_total",
            "weir_pool_wait_seconds",
            "weir_replica_lag_bytes",
            "weir_replica_lag_seconds",
            "weir_replica_failures",
            "weir_replica_stopped",
            "weir_replica_merges_concurrent",
            "weir_replica_window_duration_seconds",
            "weir_replica_rows_total",
            "weir_build_info");

    private static final Map<String, String> ALARMS = Map.of(
            "PUBLISH_UNKNOWN", "ERROR",
            "DISPATCH_DEAD", "ERROR",
            "RUN_FAILED", "ERROR",
            "RUN_STALE", "WARN",
            "CLEANUP_FAILED", "WARN");

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, AtomicLong> gauges = new ConcurrentHashMap<>();
    private final LedgerFigures ledger = new LedgerFigures(registry);
    private final ReplicaFigures replicas = new ReplicaFigures(registry);

    public ServerMetrics() {
        // A figure that is zero is shown as zero, not left out.
        for (String result : List.of("won", "lost")) {
            claims(result);
        }
        for (String result :
                List.of("progress", "partition_success", "run_complete", "failed", "ignored")) {
            reports(result);
        }
        for (OutsideDispatch.Kind kind : OutsideDispatch.Kind.values()) {
            for (String result : List.of("sent", "retry", "dead")) {
                dispatches(kind.path(), result);
            }
        }
        sweepActions("none");
        ALARMS.forEach(this::alarm);
        for (String state : List.of("PENDING", "SENT", "DEAD")) {
            gauge("weir.dispatches", "state", state);
        }
        String version = ServerMetrics.class.getPackage().getImplementationVersion();
        Info.builder()
                .name("weir_build_info")
                .help("What serves.")
                .labelNames("version")
                .register(registry.getPrometheusRegistry())
                .addLabelValues(version == null ? "unknown" : version);
    }

    private Counter claims(String result) {
        return registry.counter("weir.claims", "result", result);
    }

    private Counter reports(String result) {
        return registry.counter("weir.chunk.reports", "result", result);
    }

    private Counter dispatches(String route, String result) {
        return registry.counter("weir.dispatch.attempts", "route", route, "result", result);
    }

    private Counter sweepActions(String rule) {
        return registry.counter("weir.sweep.actions", "rule", rule);
    }

    private AtomicLong gauge(String name, String... tags) {
        return gauges.computeIfAbsent(name + "/" + String.join("/", tags), key -> {
            AtomicLong holder = new AtomicLong();
            Gauge.builder(name, holder, AtomicLong::get).tags(tags).register(registry);
            return holder;
        });
    }

    private AtomicLong alarm(String rule, String severity) {
        return gauge("weir.alarm.open", "rule", rule, "severity", severity);
    }

    public MeterRegistry registry() {
        return registry;
    }

    /** Measures one call. */
    public <T> T timed(String route, String method, Supplier<T> call, Supplier<String> status) {
        Timer.Sample sample = Timer.start(registry);
        try {
            return call.get();
        } finally {
            sample.stop(Timer.builder("weir.http.request.duration")
                    .tag("route", route)
                    .tag("method", method)
                    .tag("code", status.get())
                    .register(registry));
        }
    }

    public void claimed(boolean won) {
        claims(won ? "won" : "lost").increment();
    }

    /**
     * Counts reports.
     *
     * @param chunks in one call; the reply is that of the last
     */
    public void reported(OutsideReplies.Reported reply, int chunks) {
        reports("progress").increment(chunks - 1.0);
        String result = switch (reply.partitionState()) {
            case SUCCESS -> reply.scheduled() ? "run_complete" : "partition_success";
            case FAILED -> "failed";
            case TIMED_OUT -> "ignored";
            default -> "progress";
        };
        reports(result).increment();
    }

    /**
     * One delivery.
     *
     * @param result sent, retry or dead
     */
    public void dispatched(OutsideDispatch.Kind kind, String result) {
        dispatches(kind.path(), result).increment();
    }

    public void swept(List<String> actions) {
        actions.forEach(rule -> sweepActions(rule).increment());
    }

    /** Takes over what outside runs need somebody to look at. */
    public void look(OutsideReplies.Summary summary) {
        gauges.values().forEach(gauge -> gauge.set(0));
        summary.dispatches().forEach((state, count) -> {
            if (gauges.containsKey("weir.dispatches/state/" + state)) {
                gauge("weir.dispatches", "state", state).set(count);
            }
        });
        summary.alerts().forEach(alert -> alarm(alert.kind(), alert.level()).incrementAndGet());
    }

    /** Is told how the ledger's database does. */
    public LedgerWatch watch() {
        return ledger;
    }

    /** Takes over what happened to runs, and what there is now. */
    public void look(List<RunMove> moves, WatchBooks.Glance glance) {
        moves.forEach(ledger::moved);
        ledger.look(glance);
    }

    /** Takes over how replication does, which windows ended since the look before, and run now. */
    public void replicated(
            List<WatchBooks.ReplicaLag> tables,
            List<WatchBooks.EndedWindow> ended,
            List<WatchBooks.OpenWindow> open) {
        replicas.look(tables, ended, open);
    }

    /** Takes over what an inspection of the ledger found. */
    public void inspected(List<Finding> findings) {
        ledger.inspected(findings);
    }

    /** In the text form of Prometheus. */
    public String scrape() {
        return registry.scrape();
    }
}
