package io.weir.ledger.loop;

import io.weir.core.error.WeirException;
import io.weir.core.ledger.Outbox;
import io.weir.core.ledger.SweepReport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Repeats the loops of one process, each in a thread of its own. */
public final class Loops implements AutoCloseable {
    /** How often a process looks after what was left behind. */
    public static final Duration SWEEP_INTERVAL = Duration.ofSeconds(5);

    private static final Duration DISPATCH_INTERVAL = Duration.ofMillis(250);
    private static final Duration SIGN_INTERVAL = Duration.ofSeconds(10);
    private static final int THREADS = 3;
    private static final long CLOSE_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(Loops.class);

    private final ScheduledExecutorService threads;
    private final List<ScheduledFuture<?>> repeated = new CopyOnWriteArrayList<>();

    private final Outbox outbox;

    private Loops(Outbox outbox) {
        this.outbox = outbox;
        this.threads = Executors.newScheduledThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "weir-loop");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts to sweep. */
    public static Loops start(Outbox outbox) {
        Loops loops = new Loops(outbox);
        loops.repeat("sweep", SWEEP_INTERVAL, () -> report(outbox.sweep()));
        return loops;
    }

    /** Sweeps once more, in the thread that asks. */
    public void sweepNow() {
        guarded("sweep", () -> report(outbox.sweep()));
    }

    /** Delivers the outbox as well. */
    public Loops deliver(Dispatcher dispatcher) {
        repeat("deliver the outbox", DISPATCH_INTERVAL, dispatcher::deliverDue);
        return this;
    }

    /** Gives a sign of life as well. */
    public Loops sign(Runnable sign) {
        repeat("give a sign of life", SIGN_INTERVAL, sign);
        return this;
    }

    private void repeat(String doing, Duration pause, Runnable step) {
        repeated.add(threads.scheduleWithFixedDelay(
                () -> guarded(doing, step), 0, pause.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static void guarded(String doing, Runnable step) {
        try {
            step.run();
        } catch (WeirException e) {
            LOG.atWarn().addKeyValue("code", e.code()).log("Cannot {}: {}", doing, e.text());
        } catch (RuntimeException e) {
            // A bug in one turn must not end the loop for the life of the process.
            LOG.atError().setCause(e).log("Cannot {}", doing);
        }
    }

    private static void report(SweepReport report) {
        for (SweepReport.Action action : report.actions()) {
            LOG.atInfo()
                    .addKeyValue("runId", action.runId())
                    .addKeyValue("rule", action.rule())
                    .log("Swept run {}: {} {}", action.runId(), action.rule(), action.error());
        }
        if (report.holdersRemoved() + report.workersRemoved() > 0) {
            LOG.atDebug().log(
                    "Removed signs of {} holders and {} workers",
                    report.holdersRemoved(),
                    report.workersRemoved());
        }
    }

    /** Lets the turns under way come to their end. */
    @Override
    public void close() {
        repeated.forEach(loop -> loop.cancel(false));
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("A loop is still at its turn");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
