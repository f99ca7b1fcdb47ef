package io.weir.ledger.replica;

import io.weir.core.error.ErrorCode;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.Decision.AlreadyDone;
import io.weir.ledger.decision.Decision.Move;
import io.weir.ledger.decision.Decision.Refuse;
import io.weir.ledger.decision.Decision.Renew;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** What may be done to a job, and by whom: one process at a time. Pure. */
public final class ReplicationMachine {
    private ReplicationMachine() {}

    /** A process wants to replicate the job; the same call again renews its lease. */
    public static Decision<Replication> claim(
            Replication row, UUID token, String owner, Duration lease, Instant now) {
        if (token.equals(row.token())) {
            return new Renew<>(row.renewed(now.plus(lease)));
        }
        if (row.isHeld(now)) {
            return new Refuse<>(
                    ErrorCode.REPLICATION_BUSY,
                    "Cannot replicate job " + row.job() + ": another process does (owner="
                            + row.owner() + ", epoch=" + row.epoch() + ")");
        }
        if (row.state() == ReplicationState.PAUSED) {
            return paused(row);
        }
        return new Move<>(row.held(token, owner, now.plus(lease)), "REPLICATION_CLAIMED");
    }

    /** The process is alive. Refused once the job is paused or belongs to somebody else. */
    public static Decision<Replication> sign(
            Replication row, UUID token, Duration lease, Instant now) {
        if (!token.equals(row.token())) {
            return stranger(row);
        }
        return row.state() == ReplicationState.PAUSED
                ? paused(row)
                : new Renew<>(row.renewed(now.plus(lease)));
    }

    /** The process ends. */
    public static Decision<Replication> release(Replication row, UUID token) {
        return token.equals(row.token())
                ? new Move<>(row.released(), "REPLICATION_RELEASED")
                : new AlreadyDone<>(row);
    }

    /** The slot begins here; null: there is none any more, the initial load failed. */
    public static Decision<Replication> begin(
            Replication row, UUID token, @Nullable LogPlace place) {
        return token.equals(row.token())
                ? new Move<>(
                        row.begunAt(place),
                        place == null ? "REPLICATION_SLOT_DROPPED" : "REPLICATION_SLOT_CREATED")
                : stranger(row);
    }

    /**
     * All change logs hold every change up to a place; it never goes back. It moves many times in a
     * minute, so it is a sign of life and no event.
     */
    public static Decision<Replication> capture(Replication row, UUID token, LogPlace place) {
        if (!token.equals(row.token())) {
            return stranger(row);
        }
        LogPlace before = row.captured();
        return before != null && before.place() >= place.place()
                ? new AlreadyDone<>(row)
                : new Renew<>(row.capturedAt(place));
    }

    /** Its process cannot go on with the job as a whole and ends. */
    public static Decision<Replication> stop(Replication row, UUID token, Stop stop) {
        return token.equals(row.token())
                ? new Move<>(row.stopped(stop), "REPLICATION_STOPPED")
                : stranger(row);
    }

    public static Decision<Replication> pause(Replication row) {
        return row.state() == ReplicationState.PAUSED
                ? new AlreadyDone<>(row)
                : new Move<>(row.in(ReplicationState.PAUSED), "REPLICATION_PAUSED");
    }

    public static Decision<Replication> resume(Replication row) {
        return row.state() == ReplicationState.RUNNING
                ? new AlreadyDone<>(row)
                : new Move<>(row.in(ReplicationState.RUNNING), "REPLICATION_RESUMED");
    }

    private static Decision<Replication> paused(Replication row) {
        return new Refuse<>(
                ErrorCode.REPLICATION_PAUSED,
                "Cannot replicate job " + row.job() + ": it is paused (epoch=" + row.epoch() + ")");
    }

    private static Decision<Replication> stranger(Replication row) {
        return new Refuse<>(
                ErrorCode.REPLICATION_BUSY,
                "Cannot go on with job " + row.job() + ": another process has it (owner="
                        + row.owner() + ", epoch=" + row.epoch() + ")");
    }
}
