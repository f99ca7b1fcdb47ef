package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Progress;
import io.weir.core.run.RunId;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the leases of a run and of its claimed partitions alive from one thread, because workers
 * are inside the engine for longer than a lease. A beat that fails is tried again at the next one;
 * a claim that the ledger gave to somebody else is told to stop.
 */
final class Heartbeat implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
    private static final long INTERVAL_SECONDS = 5;

    private final Ledger ledger;
    private final RunId runId;
    private final Map<Claim, Worker> workers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread;
    private final ScheduledFuture<?> beats;

    /** What a claimed partition offers to its heartbeat. */
    interface Worker {
        Progress progress();

        /** The claim is lost: what is being written will be read by nobody. */
        void lost();
    }

    private Heartbeat(Ledger ledger, RunId runId) {
        this.ledger = ledger;
        this.runId = runId;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread created = new Thread(task, "weir-heartbeat");
            created.setDaemon(true);
            return created;
        });
        this.beats = thread.scheduleWithFixedDelay(
                this::beat, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
    }

    static Heartbeat start(Ledger ledger, RunId runId) {
        return new Heartbeat(ledger, runId);
    }

    void add(Claim claim, Worker worker) {
        workers.put(claim, worker);
    }

    void remove(Claim claim) {
        workers.remove(claim);
    }

    private void beat() {
        try {
            ledger.heartbeatRun(runId);
            workers.forEach(this::beat);
        } catch (WeirException e) {
            LOG.atWarn()
                    .addKeyValue("runId", runId)
                    .addKeyValue("code", e.code())
                    .log("Heartbeat failed, trying again: " + e.text());
        }
    }

    private void beat(Claim claim, Worker worker) {
        try {
            ledger.heartbeat(claim, worker.progress());
        } catch (WeirException e) {
            if (e.code() != ErrorCode.CLAIM_MISMATCH) {
                throw e;
            }
            workers.remove(claim);
            worker.lost();
        }
    }

    @Override
    public void close() {
        beats.cancel(false);
        thread.shutdown();
    }
}
