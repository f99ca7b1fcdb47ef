package io.weir.server.metric;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weir.core.run.RunState;
import io.weir.ledger.fsck.Finding;
import io.weir.ledger.lineage.Untold.Books;
import io.weir.ledger.watch.LedgerWatch;
import io.weir.ledger.watch.RunMove;
import io.weir.ledger.watch.WatchBooks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What becomes of runs, whoever works on them, as one server sees it in the ledger. Counts begin
 * with the server; every server over a ledger counts the same.
 */
final class LedgerFigures implements LedgerWatch {
    /** Jobs beyond these share one name: a figure for each of thousands helps nobody. */
    private static final int JOBS_MAX = 200;

    private static final String OTHER_JOBS = "other";
    private static final String TRANSACTIONS = "weir.ledger.tx";
    private static final Duration[] PHASES = {
        Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1),
        Duration.ofMinutes(10), Duration.ofHours(1), Duration.ofHours(6)
    };
    private static final double[] MARGINS = {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1};

    private final MeterRegistry registry;
    private final Set<String> jobs = new HashSet<>();
    private final MultiGauge runs;
    private final MultiGauge waiting;
    private final DistributionSummary margins;
    private final Timer poolWait;
    private volatile long unknown;
    private volatile double violations = Double.NaN;

    LedgerFigures(MeterRegistry registry) {
        this.registry = registry;
        this.runs = MultiGauge.builder("weir.runs").register(registry);
        this.waiting = MultiGauge.builder("weir.dispatch.oldest.age.seconds").register(registry);
        this.margins = DistributionSummary.builder("weir.lease.margin.ratio")
                .serviceLevelObjectives(MARGINS)
                .register(registry);
        this.poolWait = Timer.builder("weir.pool.wait").register(registry);
        Gauge.builder("weir.publish.unknown", () -> unknown).register(registry);
        Gauge.builder("weir.invariant.violations", () -> violations).register(registry);
        lost(0);
        retries("40001").increment(0);
        retries("40P01").increment(0);
        for (Books books : Books.values()) {
            resolution(books);
            for (RunState outcome : List.of(
                    RunState.PUBLISHED, RunState.FAILED_PUBLISH, RunState.PUBLISH_UNKNOWN)) {
                attempts(books, outcome).increment(0);
            }
        }
    }

    private synchronized String job(String name) {
        if (jobs.size() < JOBS_MAX) {
            jobs.add(name);
        }
        return jobs.contains(name) ? name : OTHER_JOBS;
    }

    private Counter retries(String sqlState) {
        return registry.counter("weir.ledger.tx.retries", "sqlstate", sqlState);
    }

    private Counter attempts(Books books, RunState outcome) {
        String type = books == Books.OWN ? "iceberg" : "outside";
        return registry.counter(
                "weir.publish.attempts", "target_type", type, "outcome", outcome.name());
    }

    /** Ours find out by themselves; for the others somebody has to. */
    private Timer resolution(Books books) {
        String by = books == Books.OWN ? "machine" : "operator";
        return Timer.builder("weir.publish.resolution")
                .serviceLevelObjectives(PHASES)
                .tag("by", by)
                .register(registry);
    }

    private void lost(long claims) {
        registry.counter("weir.attempts.lost", "reason", "lease").increment((double) claims);
    }

    /** Takes over what there is now. */
    void look(WatchBooks.Glance glance) {
        Map<Tags, Long> standing = new HashMap<>();
        long unsettled = 0;
        for (WatchBooks.Standing some : glance.standing()) {
            Tags tags = Tags.of("state", some.state().name(), "job", job(some.job()));
            standing.merge(tags, some.runs(), Long::sum);
            unsettled += some.state() == RunState.PUBLISH_UNKNOWN ? some.runs() : 0;
        }
        List<Row<?>> rows = new ArrayList<>();
        standing.forEach((tags, count) -> rows.add(Row.of(tags, count)));
        runs.register(rows, true);
        unknown = unsettled;
        waiting.register(
                glance.waiting().stream()
                        .<Row<?>>map(step -> Row.of(Tags.of("route", step.step()), step.seconds()))
                        .toList(),
                true);
        // A lease that is over has nothing left; a summary drops what is negative.
        glance.leaseMargins().forEach(margin -> margins.record(Math.max(0, margin)));
    }

    /** Counts a change of a state. */
    void moved(RunMove move) {
        String job = job(move.job());
        RunState from = move.from();
        registry.counter(
                        "weir.run.transitions",
                        "from",
                        from == null ? "NONE" : from.name(),
                        "to",
                        move.to().name(),
                        "job",
                        job)
                .increment();
        Duration stay = move.stay();
        if (from != null && stay != null) {
            Timer.builder("weir.run.duration")
                    .serviceLevelObjectives(PHASES)
                    .tag("phase", from.name().toLowerCase(Locale.ROOT))
                    .register(registry)
                    .record(stay);
            if (from == RunState.PUBLISH_UNKNOWN) {
                resolution(move.books()).record(stay);
            }
        }
        if (from == RunState.PUBLISHING) {
            attempts(move.books(), move.to()).increment();
        }
        if (from == RunState.EXTRACTING) {
            lost(move.lost());
        }
        arrived(move, job);
    }

    private void arrived(RunMove move, String job) {
        String stage = switch (move.to()) {
            case EXTRACTED_VALIDATED -> "extracted";
            case STAGING_VALIDATED -> "staged";
            case PUBLISHED -> "published";
            default -> null;
        };
        if (stage != null) {
            registry.counter("weir.rows", "job", job, "stage", stage)
                    .increment((double) move.rows());
        }
        if (move.to() == RunState.EXTRACTED_VALIDATED) {
            registry.counter("weir.bytes", "job", job).increment((double) move.bytes());
        }
    }

    /** Takes over what an inspection of the ledger found. */
    void inspected(List<Finding> findings) {
        violations =
                findings.stream().mapToLong(finding -> finding.rows().size()).sum();
    }

    @Override
    public Running began(String command) {
        Timer.Sample sample = Timer.start(registry);
        return () ->
                sample.stop(Timer.builder(TRANSACTIONS).tag("command", command).register(registry));
    }

    @Override
    public void retried(String sqlState) {
        retries(sqlState).increment();
    }

    @Override
    public void waited(Duration time) {
        poolWait.record(time);
    }
}
