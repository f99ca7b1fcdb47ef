package io.weir.ledger.replica;

import io.weir.core.error.ErrorCode;
import io.weir.core.run.RunId;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.Decision.AlreadyDone;
import io.weir.ledger.decision.Decision.Move;
import io.weir.ledger.decision.Decision.Refuse;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** Which command moves a replicated table from which state to which. Pure: no row is read. */
public final class ReplicaMachine {
    private static final Duration PAUSE_MIN = Duration.ofSeconds(5);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(10);
    private static final int DOUBLINGS_MAX = 7;

    private ReplicaMachine() {}

    /** All its rows are published, as they were at a place. */
    public static Decision<Replica> loaded(Replica row, LogPlace at, @Nullable RunId run) {
        return row.state() == ReplicaState.LOADING
                ? new Move<>(row.loadedAt(at, run), "REPLICA_LOADED")
                : mismatch(row, "load");
    }

    /** A window is published, or had nothing to publish, up to a place. */
    public static Decision<Replica> advance(Replica row, LogPlace to) {
        LogPlace before = row.verified();
        LogPlace end = row.ends();
        if (!isMerged(row) || before == null) {
            return mismatch(row, "advance");
        }
        if (to.place() < before.place() || (end != null && to.place() > end.place())) {
            return new Refuse<>(
                    ErrorCode.REPLICA_STATE_MISMATCH,
                    "Cannot advance table " + row.table() + ": its windows lie elsewhere (verified="
                            + before.position() + ", to=" + to.position() + ", end="
                            + (end == null ? "open" : end.position()) + ")");
        }
        if (end != null && end.place() == to.place()) {
            return new Move<>(row.reached(ReplicaState.STOPPED, to), "REPLICA_STOPPED");
        }
        boolean nothing = to.equals(before) && row.failures() == 0;
        return nothing
                ? new AlreadyDone<>(row)
                : new Move<>(row.reached(row.state(), to), "REPLICA_ADVANCED");
    }

    /**
     * The next change of the table cannot be read: its log ends, and windows up to there come.
     *
     * @param at the place of the last transaction before it
     */
    public static Decision<Replica> end(Replica row, LogPlace at, Stop stop) {
        LogPlace verified = row.verified();
        return switch (row.state()) {
            case ENDING -> new AlreadyDone<>(row);
            case LOADING ->
                new Move<>(row.stopped(ReplicaState.STOPPED, at, stop), "REPLICA_STOPPED");
            case RUNNING ->
                verified != null && verified.place() < at.place()
                        ? new Move<>(row.stopped(ReplicaState.ENDING, at, stop), "REPLICA_ENDING")
                        : new Move<>(
                                row.stopped(ReplicaState.STOPPED, at, stop), "REPLICA_STOPPED");
            case STOPPED ->
                row.ends() != null
                        ? new AlreadyDone<>(row)
                        : new Move<>(
                                row.stopped(ReplicaState.STOPPED, at, stop), "REPLICA_STOPPED");
        };
    }

    /**
     * A load or a window failed for a reason that may pass. The pause doubles with every failure.
     *
     * @param jitter 0 to 1: tables that failed together come back apart
     */
    public static Decision<Replica> fail(Replica row, String message, double jitter, Instant now) {
        if (row.state() == ReplicaState.STOPPED) {
            return mismatch(row, "fail");
        }
        return new Move<>(
                row.failed(message, now.plus(pause(row.failures(), jitter))), "REPLICA_FAILED");
    }

    static Duration pause(int failures, double jitter) {
        long doubled = PAUSE_MIN.toMillis() << Math.min(failures, DOUBLINGS_MAX);
        long capped = Math.min(doubled, PAUSE_MAX.toMillis());
        return Duration.ofMillis(capped / 2 + Math.round(capped / 2.0 * jitter));
    }

    /** Something was found that must not be published; others go on. */
    public static Decision<Replica> stop(Replica row, Stop stop) {
        return row.state() == ReplicaState.STOPPED
                ? new AlreadyDone<>(row)
                : new Move<>(
                        row.stopped(ReplicaState.STOPPED, row.ends(), stop), "REPLICA_STOPPED");
    }

    /** Every key was looked at, by a window that then had nothing to publish. */
    public static Decision<Replica> look(Replica row) {
        return isMerged(row)
                ? new Move<>(row.unchanged(), "REPLICA_LOOKED")
                : mismatch(row, "look at every key of");
    }

    /** Another writer put its files together anew: every key has to be looked at. */
    public static Decision<Replica> rewrite(Replica row) {
        return isMerged(row)
                ? new Move<>(row.unchanged(), "REPLICA_REWRITTEN")
                : mismatch(row, "accept other files of");
    }

    private static boolean isMerged(Replica row) {
        return row.state() == ReplicaState.RUNNING || row.state() == ReplicaState.ENDING;
    }

    /** From here on its changes have more columns, and a log of their own. */
    public static Decision<Replica> grow(Replica row, LogPlace at) {
        return row.state() == ReplicaState.RUNNING && at.equals(row.verified())
                ? new Move<>(row.grown(at), "REPLICA_GREW")
                : mismatch(row, "grow");
    }

    /** A person mended the cause: the window is judged again, and nothing is waived. */
    public static Decision<Replica> resume(Replica row) {
        if (row.state() != ReplicaState.STOPPED) {
            return mismatch(row, "continue");
        }
        LogPlace end = row.ends();
        LogPlace verified = row.verified();
        if (end != null && (verified == null || verified.place() >= end.place())) {
            return new Refuse<>(
                    ErrorCode.REPLICA_STATE_MISMATCH,
                    "Cannot continue table " + row.table() + " of job " + row.job()
                            + ": its change log ends, and later changes are not in it (end="
                            + end.position() + "); run weir rebuild " + row.target());
        }
        ReplicaState next = verified == null ? ReplicaState.LOADING : ReplicaState.RUNNING;
        return new Move<>(
                end == null
                        ? row.reached(next, verified)
                        : row.reached(ReplicaState.ENDING, verified),
                "REPLICA_CONTINUED");
    }

    /** A person wants it loaded anew, with a change log of its own from there on. */
    public static Decision<Replica> rebuild(Replica row) {
        return row.state() == ReplicaState.LOADING
                ? new AlreadyDone<>(row)
                : new Move<>(row.rebuilt(), "REPLICA_REBUILT");
    }

    /** A person set the target back to an older snapshot, whose place this is. */
    public static Decision<Replica> rollBack(Replica row, LogPlace to) {
        LogPlace loaded = row.loaded();
        if (loaded == null || row.state() == ReplicaState.LOADING) {
            return mismatch(row, "roll back");
        }
        if (to.place() < loaded.place()) {
            return new Refuse<>(
                    ErrorCode.REPLICA_STATE_MISMATCH,
                    "Cannot roll back table " + row.table() + " of job " + row.job()
                            + ": its change log begins behind that snapshot (snapshot="
                            + to.position() + ", log=" + loaded.position() + ")");
        }
        ReplicaState next = row.ends() == null ? ReplicaState.RUNNING : ReplicaState.ENDING;
        return new Move<>(row.reached(next, to), "REPLICA_ROLLED_BACK");
    }

    private static Decision<Replica> mismatch(Replica row, String verb) {
        Stop stop = row.stop();
        return new Refuse<>(
                ErrorCode.REPLICA_STATE_MISMATCH,
                "Cannot " + verb + " table " + row.table() + " of job " + row.job()
                        + ": it is in another state (state=" + row.state()
                        + (stop == null ? "" : ", stop=" + stop.code()) + ")");
    }
}
