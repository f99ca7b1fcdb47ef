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
     * Writes state, attempts and acknowledgement.
     *
     * @param before the locked row; its state guards the write
     * @return empty, with nothing written, if the row moved meanwhile
     */
    Optional<RowChange> update(Dispatch before, Dispatch after);

    /** Acknowledgement wins over every other state and is final; empty if it was done before. */
    default Optional<RowChange> acknowledge(Dispatch dispatch, Instant now) {
        if (dispatch.state() == Dispatch.DispatchState.ACKED) {
            return Optional.empty();
        }
        return update(
                dispatch,
                new Dispatch(
                        dispatch.id(),
                        dispatch.runId(),
                        dispatch.kind(),
                        dispatch.cycle(),
                        Dispatch.DispatchState.ACKED,
                        dispatch.attempts(),
                        dispatch.createdAt(),
                        now));
    }

    /** By kind and cycle, without locks. */
    List<Dispatch> ofRun(RunId runId);
}
