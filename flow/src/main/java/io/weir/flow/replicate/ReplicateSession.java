package io.weir.flow.replicate;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.flow.load.Cancellation;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** One claim of a job at work: load what waits, keep the logs, window after window. */
final class ReplicateSession {
    /** Between windows of continuous mode; wishes of people are seen as often. */
    private static final Duration GLANCE = Duration.ofMillis(500);

    private static final Duration CUT_EVERY = Duration.ofHours(1);

    private final ReplicatedJob job;
    private final ReplicaBooks books;
    private final JobLease lease;
    private final LogOrigin origin;
    private final WindowRound round;
    private final LagWatch watch;
    private final InstantSource clock;
    private final Cancellation cancellation;
    private @Nullable Instant cutAt;
    private WindowEnds last = WindowEnds.common(LogPlace.START);

    ReplicateSession(
            ReplicatedJob job,
            ReplicaBooks books,
            JobLease lease,
            LogOrigin origin,
            WindowRound round,
            LagWatch watch,
            InstantSource clock,
            Cancellation cancellation) {
        this.job = job;
        this.books = books;
        this.lease = lease;
        this.origin = origin;
        this.round = round;
        this.watch = watch;
        this.clock = clock;
        this.cancellation = cancellation;
    }

    /** One window over everything that is committed at the source now. */
    ReplicateReport once() {
        try (origin) {
            watch.begin(origin);
            WindowEnds reached = origin.reach(true, false);
            WindowEnds ends = reached == null ? origin.reached() : reached;
            ReplicateReport report = round.cut(origin.logs(), ends, false, true);
            watch.end(lease.hold(), ends);
            return report;
        }
    }

    /** Windows until a stop is wished. */
    void forever() {
        try (origin) {
            while (!cancellation.isRequested()) {
                watch.begin(origin);
                WindowEnds ends = origin.reach(!job.isContinuous(), true);
                if (ends == null) {
                    throw nothingLeft();
                }
                if (!ends.equals(last) || isDue()) {
                    window(ends);
                    last = ends;
                }
                watch.end(lease.hold(), ends);
                lease.check();
                rest();
            }
        }
    }

    private void window(WindowEnds ends) {
        Instant now = clock.instant();
        Instant before = cutAt;
        if (before == null || !now.isBefore(before.plus(CUT_EVERY))) {
            round.cut(origin.logs(), ends, true, false);
            cutAt = now;
        } else {
            round.run(origin.logs(), ends, true, false);
        }
    }

    /**
     * Until the next window is due; in between a person may want a table loaded anew, and the pause
     * of one that failed may be over.
     */
    private void rest() {
        Instant due = clock.instant().plus(job.every());
        do {
            if (cancellation.await(GLANCE)) {
                return;
            }
            lease.check();
            if (!origin.isKept() || (!job.isContinuous() && (isAsked() || isDue()))) {
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

    private WeirException nothingLeft() {
        return new WeirException(
                ErrorCode.REPLICA_STOPPED,
                "Cannot go on with job " + job.name() + ": every table is stopped");
    }
}
