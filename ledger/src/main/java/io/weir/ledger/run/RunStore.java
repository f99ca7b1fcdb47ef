package io.weir.ledger.run;

import io.weir.core.ledger.RunFilter;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of runs inside one transaction. */
public interface RunStore {
    /**
     * Adds a run. Where another transaction just writes a run of the same keys, this waits for its
     * end.
     *
     * @return empty, with nothing written, if the id or idempotency key is taken or another run of
     *     the same job, business key and target is active
     */
    Optional<RowChange> insert(RunRow row);

    /**
     * Applies a decided move.
     *
     * @param before the locked row; its version and state guard the write
     * @return empty, with nothing written, if the row moved meanwhile
     */
    Optional<RowChange> update(RunRow before, RunRow after);

    /**
     * Writes the end of the lease only, without a new version.
     *
     * @return false, with nothing written, if version or state are not those of the row any more
     */
    boolean renew(RunRow row);

    /** Reads without a lock. */
    Optional<RunRow> find(RunId id);

    /** Locks the row until the transaction ends and reads it after that. */
    Optional<RunRow> lock(RunId id);

    /** Reads without a lock. */
    Optional<RunRow> byIdempotencyKey(String key);

    /** Locks and reads the one run of job, business key and target that is active. */
    Optional<RunRow> lockActive(String job, String businessKey, String target);

    /** Like {@link #lock}, but empty at once if another transaction holds the row. */
    Optional<RunRow> lockIfFree(RunId id);

    /** The runs of a cut by creation and id, without locks. */
    List<RunRow> ofCut(UUID cutId);

    /**
     * Runs of the same target that were created after a run and were published, oldest first,
     * without locks.
     */
    List<RunRow> publishedAfter(Run run);

    /** Locks the runs of a cut by id and reads them after that. */
    List<RunRow> lockCut(UUID cutId);

    /** Ids of active runs, oldest first, without locks. */
    List<RunId> active(int most);

    /**
     * Runs that ended before a time and were not cleaned up after, oldest first, without locks;
     * none with an attempt that is OPEN or UNKNOWN.
     *
     * @param succeeded bound for runs in state SUCCESS
     * @param failed bound for all others
     */
    List<RunRow> cleanable(Instant succeeded, Instant failed, int most);

    /** Newest first, then by id as text; at most as many as the filter says, without locks. */
    List<RunRow> newest(RunFilter filter);
}
