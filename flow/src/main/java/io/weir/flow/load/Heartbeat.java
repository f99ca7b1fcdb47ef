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
 * are inside the engine for longer than a lease. A sign that fails is given again at the next beat
 * and does not keep the others; a claim that the ledger gave to somebody else is told to stop.
 */
final class Heartbeat implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final Ledger ledger;
    private final Ledger patient;
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

    private Heartbeat(Ledger ledger, Patience patience, Duration interval) {
        this.ledger = ledger;
        this.patient = PatientLedger.over(ledger, patience);
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread created = new Thread(task, "weir-heartbeat");
            created.setDaemon(true);
            return created;
        });
        this.beats = thread.scheduleWithFixedDelay(
                this::beat, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Starts without anything to keep.
     *
     * @param ledger whose calls fail soon: a sign that waits keeps the next ones waiting
     * @param patience for the first sign of a snapshot, without which nobody may begin
     */
    static Heartbeat start(Ledger ledger, Patience patience, Duration interval) {
        return new Heartbeat(ledger, patience, interval);
    }

    /** Keeps the run alive whenever nobody does a step of it. */
    Heartbeat run(RunId runId) {
        runs.put(runId, () -> ledger.heartbeatRun(runId, null));
        return this;
    }

    /** Keeps the lease of the run's current step. */
    Heartbeat step(RunId runId, String owner) {
        runs.put(runId, () -> ledger.heartbeatRun(runId, owner));
        return this;
    }

    /** Registers that this process keeps the snapshot, and goes on saying so. */
    Heartbeat snapshot(RunId runId, UUID holder, SnapshotToken token, String worker) {
        patient.holdSnapshot(runId, holder, token, worker);
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
        // A run that ended leaves nothing to keep.
        runs.forEach((id, sign) -> give(sign, ErrorCode.RUN_STATE_MISMATCH, () -> runs.remove(id)));
        snapshots.forEach(
                (id, sign) -> give(sign, ErrorCode.RUN_STATE_MISMATCH, () -> snapshots.remove(id)));
        workers.forEach((claim, worker) -> give(
                () -> ledger.heartbeat(claim, worker.progress()), ErrorCode.CLAIM_MISMATCH, () -> {
                    workers.remove(claim);
                    worker.lost();
                }));
    }

    /** One that fails must not keep the others: each prolongs a lease of its own. */
    private static void give(Runnable sign, ErrorCode over, Runnable end) {
        try {
            sign.run();
        } catch (WeirException e) {
            if (e.code() == over) {
                end.run();
            } else {
                LOG.atWarn()
                        .addKeyValue("code", e.code())
                        .log("Heartbeat failed, trying again: " + e.text());
            }
        } catch (RuntimeException e) {
            // A bug in one sign must not end the beats for the life of the process.
            LOG.atError().setCause(e).log("Heartbeat failed, trying again");
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
