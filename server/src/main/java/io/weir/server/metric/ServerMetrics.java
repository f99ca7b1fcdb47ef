package io.weir.server.metric;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideReplies;

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
            "weir_dispatches",
            "weir_publish_unknown",
            "weir_alerts");

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, AtomicLong> gauges = new ConcurrentHashMap<>();

    public ServerMetrics() {
        // A figure that is zero is shown as zero, not left out.
        for (String result : List.of("won", "lost")) {
            claims(result);
        }
        for (String result :
                List.of("progress", "partition_success", "run_complete", "failed", "ignored")) {
            reports(result);
        }
        for (String result : List.of("sent", "retry", "dead")) {
            dispatches(result);
        }
        sweepActions("none");
        gauge("weir.publish.unknown", "state", "PUBLISH_UNKNOWN");
        for (String level : List.of("ERROR", "WARN")) {
            gauge("weir.alerts", "level", level);
        }
        for (RunState state : RunState.values()) {
            if (state.isActive()) {
                gauge("weir.runs", "state", state.name());
            }
        }
        for (String state : List.of("PENDING", "SENT", "DEAD")) {
            gauge("weir.dispatches", "state", state);
        }
    }

    private Counter claims(String result) {
        return registry.counter("weir.claims", "result", result);
    }

    private Counter reports(String result) {
        return registry.counter("weir.chunk.reports", "result", result);
    }

    private Counter dispatches(String result) {
        return registry.counter("weir.dispatch.attempts", "result", result);
    }

    private Counter sweepActions(String rule) {
        return registry.counter("weir.sweep.actions", "rule", rule);
    }

    private AtomicLong gauge(String name, String tag, String value) {
        return gauges.computeIfAbsent(name + "/" + value, key -> {
            AtomicLong holder = new AtomicLong();
            Gauge.builder(name, holder, AtomicLong::get).tag(tag, value).register(registry);
            return holder;
        });
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

    /** One delivery: sent, retry or dead. */
    public void dispatched(String result) {
        dispatches(result).increment();
    }

    public void swept(List<String> actions) {
        actions.forEach(rule -> sweepActions(rule).increment());
    }

    /** Takes over what the ledger holds now. */
    public void look(OutsideReplies.Summary summary) {
        gauges.values().forEach(gauge -> gauge.set(0));
        summary.active()
                .forEach((state, count) -> gauge("weir.runs", "state", state).set(count));
        summary.dispatches().forEach((state, count) -> {
            if (gauges.containsKey("weir.dispatches/" + state)) {
                gauge("weir.dispatches", "state", state).set(count);
            }
        });
        gauge("weir.publish.unknown", "state", "PUBLISH_UNKNOWN")
                .set(summary.active().getOrDefault("PUBLISH_UNKNOWN", 0L));
        summary.alerts()
                .forEach(alert -> gauge("weir.alerts", "level", alert.level()).incrementAndGet());
    }

    /** In the text form of Prometheus. */
    public String scrape() {
        return registry.scrape();
    }
}
