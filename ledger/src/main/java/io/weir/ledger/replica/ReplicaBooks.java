package io.weir.ledger.replica;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Operator;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The books of replication. Safe for use by many threads. Calls with a {@link Hold} are refused
 * with {@link ErrorCode#REPLICATION_BUSY} once the job belongs to another claim.
 *
 * <p>All calls throw {@link WeirException}: {@link ErrorCode#LEDGER_UNREACHABLE}, {@link
 * ErrorCode#REPLICATION_NOT_FOUND} for a job or a table that is not in the books, {@link
 * ErrorCode#REPLICA_STATE_MISMATCH} for what the state of a table forbids; further codes are named
 * at the call.
 */
public interface ReplicaBooks {
    /**
     * A claim of a job: only the last one counts.
     *
     * @param epoch grows from claim to claim
     */
    record Hold(String job, UUID token, long epoch) {}

    /**
     * Claims the job for one process; enters the job and the tables that are not yet in the books.
     *
     * @param tables targets by qualified name of the table at the source
     * @throws WeirException {@link ErrorCode#REPLICATION_BUSY} while another process gives signs of
     *     life, {@link ErrorCode#REPLICATION_PAUSED}, {@link ErrorCode#CONFIG_INVALID} if slot,
     *     source or a target is another one than in the books
     */
    Hold claim(
            String job,
            String source,
            String slot,
            Map<String, String> tables,
            UUID token,
            String owner,
            Duration lease);

    /**
     * The process is alive.
     *
     * @throws WeirException {@link ErrorCode#REPLICATION_PAUSED} once a person wants it to rest
     */
    void sign(Hold hold, Duration lease);

    /** The process ends. */
    void release(Hold hold);

    /** The process cannot go on with the job as a whole, and why. */
    Replication stopped(Hold hold, Stop stop);

    /**
     * Enters that a table is late, or that it no longer is: events of their own, each once.
     *
     * @param current everything that was committed at the source by then is in the table; null: not
     *     known, then when it was verified last
     * @param max how long ago that may be
     * @return whether it is late; one that is not running never is
     */
    boolean late(Hold hold, String table, @Nullable Instant current, Duration max);

    /** Where the slot begins; null: there is none any more. */
    Replication begin(Hold hold, @Nullable LogPlace place);

    /** All change logs hold every change up to a place. */
    Replication captured(Hold hold, LogPlace place);

    /** A person wants the job to rest; a process that replicates it ends soon. */
    Replication pause(String job, Operator operator);

    /** A person lets the job go on. */
    Replication resume(String job, Operator operator);

    Replication replication(String job);

    List<Replication> replications();

    /** The tables of a job, by name. */
    List<Replica> replicas(String job);

    /** The one table with this name at the source or in the lake, of any job. */
    Replica replica(String name);

    /** Time of the books, by which leases and pauses are measured. */
    Instant now();

    /** All rows of a table are published, as they were at a place. */
    Replica loaded(Hold hold, String table, LogPlace at, @Nullable RunId run);

    /** A window had nothing to publish. */
    Replica advanced(Hold hold, String table, LogPlace to);

    /**
     * Something failed for a reason that may pass.
     *
     * @param jitter 0 to 1
     */
    Replica failed(Hold hold, String table, String message, double jitter);

    /** Something was found that must not be published. */
    Replica stopped(Hold hold, String table, Stop stop);

    /**
     * The log of a table ends: what follows cannot be read.
     *
     * @param at the place of the last transaction that is in it
     */
    Replica ended(Hold hold, String table, LogPlace at, Stop stop);

    /** From here on the changes of a table have more columns, and a log of their own. */
    Replica grown(Hold hold, String table, LogPlace at);

    /** A person mended the cause of a stop. */
    Replica resumed(String job, String table, Operator operator);

    /** A person wants the table loaded anew. */
    Replica rebuild(String job, String table, Operator operator);

    /** The target was set back to a snapshot that has this place. */
    Replica rolledBack(String job, String table, LogPlace to, Operator operator);

    /**
     * Opens a window: the next epoch of the target.
     *
     * @throws WeirException {@link ErrorCode#TARGET_BUSY} while another publish to the target is
     *     under way or its end unknown
     */
    ReplicaWindow openWindow(
            Hold hold, String table, LogPlace to, RunId id, UUID token, long baseSnapshotId);

    /**
     * What was measured of the staged window.
     *
     * @throws WeirException {@link ErrorCode#VALIDATION_FAILED} if the balances do not add up; then
     *     the window is FAILED
     */
    ReplicaWindow staged(Hold hold, ReplicaWindow window, long snapshotId, WindowFigures figures);

    /** The commit to the target may be sent from now on. */
    ReplicaWindow publishing(Hold hold, ReplicaWindow window);

    /** How the window ended; if it is published the table is verified up to its end. */
    ReplicaWindow settled(Hold hold, ReplicaWindow window, PublishOutcome outcome, String evidence);

    /** A window that was never sent and will not be. */
    ReplicaWindow abandoned(Hold hold, ReplicaWindow window, String reason);

    /** A window that has nothing to publish looked at every key. */
    Replica looked(Hold hold, String table);

    /**
     * Another writer put the files of the target together anew. Entered before they are accepted,
     * so that whoever goes on looks at every key.
     */
    Replica rewritten(Hold hold, String table);

    /**
     * Whether the next window of a table has to look at every key: none did within a day, or since
     * the table got more columns, was set back, or another writer put its files together anew.
     */
    boolean isAllKeysDue(String job, String table);

    /** The windows of a table whose end is open: at most one may have been sent. */
    List<ReplicaWindow> unsettled(String job, String table);

    /**
     * Enters files of an outside log before their changes are taken; those that are there stay as
     * they are.
     *
     * @param generation of the change log that takes them
     */
    void take(Hold hold, String table, int generation, List<TakenFile> files);

    /** The files of an outside log that a change log takes or has taken, by path. */
    List<TakenFile> taken(String job, String table, int generation);

    /** The newest windows of a job, newest first. */
    List<ReplicaWindow> windows(String job, int most);

    /** Opens the next cut of the job. */
    ReplicaCut openCut(Hold hold, LogPlace at, int tables);

    /** Closes a cut; the tables that are not there are missing in it. */
    ReplicaCut closeCut(Hold hold, ReplicaCut cut, List<String> missing);

    /** The newest cut of a job. */
    Optional<ReplicaCut> lastCut(String job);

    /** The newest events of a job, newest first. */
    List<ReplicaEvent> events(String job, int most);
}
