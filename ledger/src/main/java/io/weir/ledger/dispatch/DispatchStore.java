package io.weir.ledger.dispatch;

import io.weir.core.run.Dispatch;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The outbox inside one transaction. */
public interface DispatchStore {
    /**
     * Adds a row; the caller holds the lock of the run.
     *
     * @throws io.weir.core.error.WeirException LEDGER_INVARIANT if the run has this kind and cycle
     */
    RowChange insert(Dispatch dispatch);

    /** Locks the row until the transaction ends and reads it after that. */
    Optional<Dispatch> lock(RunId runId, UUID id);

    /**
     * Writes what a delivery changes.
     *
     * @param before the locked row; its state and attempts guard the write
     * @return empty, with nothing written, if the row moved meanwhile
     */
    Optional<RowChange> update(Dispatch before, Dispatch after);

    /**
     * Locks and reads rows that are PENDING and due, longest due first. Skips those that another
     * transaction has locked, without waiting.
     */
    List<Dispatch> lockDue(Instant now, int most);

    /** Locks and reads those of a run that are PENDING or SENT; the caller holds its lock. */
    List<Dispatch> lockOpen(RunId runId);

    /** In order of creation, then by kind and cycle, without locks. */
    List<Dispatch> ofRun(RunId runId);
}
