package io.weir.flow.replicate;

import io.weir.capture.Capture;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.flow.load.Cancellation;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaState;
import io.weir.ledger.replica.Replication;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** One claim of a job at work: load what waits, keep the logs, window after window. */
final class ReplicateSession {
    /** Between windows of continuous mode; wishes of people are seen as often. */
    private static final Duration GLANCE = Duration.ofMillis(500);

    private static final Duration CUT_EVERY = Duration.ofHours(1);

    private final ReplicateJob job;
    private final ReplicaBooks books;
    private final JobLease lease;
    private final InitialLoad initial;
    private final LogKeeping logs;
    private final WindowRound round;
    private final Capture capture;
    private final InstantSource clock;
    private final Cancellation cancellation;
    private @Nullable Instant cutAt;
    private LogPlace last = LogPlace.START;

    ReplicateSession(
            ReplicateJob job,
            ReplicaBooks books,
            JobLease lease,
            InitialLoad initial,
            LogKeeping logs,
            WindowRound round,
            Capture capture,
            InstantSource clock,
            Cancellation cancellation) {
        this.job = job;
        this.books = books;
        this.lease = lease;
        this.initial = initial;
        this.logs = logs;
        this.round = round;
        this.capture = capture;
        this.clock = clock;
        this.cancellation = cancellation;
    }

    /** One window over everything that is committed at the source now. */
    ReplicateReport once() {
        try (logs) {
            CaptureLoop loop = ready();
            LogPlace to = loop == null ? captured(LogPlace.START) : reach(loop);
            return round.cut(logs.logs(), to, false, true);
        }
    }

    /** Windows until a stop is wished. */
    void forever() {
        try (logs) {
            while (!cancellation.isRequested()) {
                CaptureLoop loop = ready();
                if (loop == null) {
                    throw nothingLeft();
                }
                LogPlace to = job.isContinuous() ? captured(loop.reached()) : reach(loop);
                if (!to.equals(last) || isDue()) {
                    window(to);
                    last = to;
                }
                lease.check();
                rest(loop);
            }
        }
    }

    private void window(LogPlace to) {
        Instant now = clock.instant();
        Instant before = cutAt;
        if (before == null || !now.isBefore(before.plus(CUT_EVERY))) {
            round.cut(logs.logs(), to, true, false);
            cutAt = now;
        } else {
            round.run(logs.logs(), to, true, false);
        }
    }

    private LogPlace reach(CaptureLoop loop) {
        return loop.awaitBehind(capture.mark(), () -> {
            lease.check();
            if (cancellation.isRequested()) {
                throw new WeirException(
                        ErrorCode.INTERRUPTED,
                        "Cannot finish the window of job " + job.name() + ": asked to stop");
            }
        });
    }

    /** Until the next window is due; a person may want a table loaded anew in between. */
    private void rest(CaptureLoop loop) {
        Instant due = clock.instant().plus(job.every());
        do {
            if (cancellation.await(GLANCE)) {
                return;
            }
            lease.check();
            loop.check();
            if (!job.isContinuous() && isAsked()) {
                return;
            }
        } while (clock.instant().isBefore(due));
    }

    /** Whether a table that failed may be tried again. */
    private boolean isDue() {
        Instant now = books.now();
        return books.replicas(job.name()).stream()
                .anyMatch(replica -> replica.failures() > 0 && !replica.isWaiting(now));
    }

    private boolean isAsked() {
        return books.replicas(job.name()).stream()
                .anyMatch(replica -> replica.state() == ReplicaState.LOADING);
    }

    /** What the logs of an earlier claim hold counts, too. */
    private LogPlace captured(LogPlace reached) {
        LogPlace captured = books.replication(job.name()).captured();
        return captured != null && captured.place() > reached.place() ? captured : reached;
    }

    /** Loads what waits and fills the logs of all tables that have one; null if none has. */
    private @Nullable CaptureLoop ready() {
        Replication replication = books.replication(job.name());
        List<Replica> replicas = books.replicas(job.name());
        List<Replica> waiting = waiting(replicas);
        if (!InitialLoad.hasSlot(replication)) {
            initial.withNewSlot(replication, waiting);
            return keep();
        }
        CaptureLoop loop = keep();
        if (loop != null && !waiting.isEmpty()) {
            initial.besideTheStream(replication, waiting);
        }
        return loop;
    }

    private static List<Replica> waiting(List<Replica> replicas) {
        return replicas.stream()
                .filter(replica -> replica.state() == ReplicaState.LOADING)
                .toList();
    }

    private @Nullable CaptureLoop keep() {
        List<Replica> captured =
                books.replicas(job.name()).stream().filter(Replica::isCaptured).toList();
        return captured.isEmpty() ? null : logs.keep(captured);
    }

    private WeirException nothingLeft() {
        return new WeirException(
                ErrorCode.REPLICA_STOPPED,
                "Cannot go on with job " + job.name() + ": every table is stopped");
    }
}
