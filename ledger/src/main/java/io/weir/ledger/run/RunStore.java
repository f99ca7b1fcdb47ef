package io.weir.ledger.run;

import io.weir.core.ledger.RunFilter;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;

import java.util.List;
import java.util.Optional;

/** The table of runs inside one transaction. */
public interface RunStore {
    /**
     * Adds a run. Where another transaction just writes a run of the same keys, this waits for its
     * end.
     *
     * @return empty, with nothing written, if the id or idempotency key is taken or another run of
     *     the same job and business key is active
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

    /** Locks and reads the one run of job and business key that is active. */
    Optional<RunRow> lockActive(String job, String businessKey);

    /** Newest first, then by id as text; at most as many as the filter says, without locks. */
    List<RunRow> newest(RunFilter filter);
}
