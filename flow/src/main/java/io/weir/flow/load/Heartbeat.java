package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Progress;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotToken;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the leases of runs, snapshots and claimed partitions alive from one thread, because workers
 * are inside the engine for longer than a lease. A beat that fails is tried again at the next one;
 * a claim that the ledger gave to somebody else is told to stop.
 */
final class Heartbeat implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final Ledger ledger;
    private final Map<RunId, Runnable> runs = new ConcurrentHashMap<>();
    private final Map<RunId, Runnable> snapshots = new ConcurrentHashMap<>();
    private final List<Runnable> releases = new CopyOnWriteArrayList<>();
    private final Map<Claim, Worker> workers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread;
    private final ScheduledFuture<?> beats;

    /** What a claimed partition offers to its heartbeat. */
    interface Worker {
        Progress progress();

        /** The claim is lost: what is being written will be read by nobody. */
        void lost();
    }

    private Heartbeat(Ledger ledger, Duration interval) {
        this.ledger = ledger;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread created = new Thread(task, "weir-heartbeat");
            created.setDaemon(true);
            return created;
        });
        this.beats = thread.scheduleWithFixedDelay(
                this::beat, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    static Heartbeat start(Ledger ledger, Duration interval) {
        return new Heartbeat(ledger, interval);
    }

    /** Keeps the lease of the run's current step. */
    Heartbeat run(RunId runId) {
        runs.put(runId, () -> ledger.heartbeatRun(runId));
        return this;
    }

    /** Registers that this process keeps the snapshot, and goes on saying so. */
    Heartbeat snapshot(RunId runId, UUID holder, SnapshotToken token, String worker) {
        ledger.holdSnapshot(runId, holder, token, worker);
        snapshots.put(runId, () -> ledger.holdSnapshot(runId, holder, token, worker));
        releases.add(() -> ledger.releaseSnapshot(runId, holder));
        return this;
    }

    void add(Claim claim, Worker worker) {
        workers.put(claim, worker);
    }

    void remove(Claim claim) {
        workers.remove(claim);
    }

    private void beat() {
        try {
            runs.forEach((id, sign) -> beat(runs, id, sign));
            snapshots.forEach((id, sign) -> beat(snapshots, id, sign));
            workers.forEach(this::beat);
        } catch (WeirException e) {
            LOG.atWarn()
                    .addKeyValue("code", e.code())
                    .log("Heartbeat failed, trying again: " + e.text());
        }
    }

    private static void beat(Map<RunId, Runnable> signs, RunId id, Runnable sign) {
        try {
            sign.run();
        } catch (WeirException e) {
            if (e.code() != ErrorCode.RUN_STATE_MISMATCH) {
                throw e;
            }
            // The run ended: nothing is left to keep.
            signs.remove(id);
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

    /** Says that the snapshots are given up, so that nobody tries to join them any more. */
    @Override
    public void close() {
        beats.cancel(false);
        thread.shutdown();
        for (Runnable release : releases) {
            try {
                release.run();
            } catch (WeirException e) {
                // The lease ends by itself.
                LOG.atDebug().addKeyValue("code", e.code()).log("Release failed: " + e.text());
            }
        }
    }
}
