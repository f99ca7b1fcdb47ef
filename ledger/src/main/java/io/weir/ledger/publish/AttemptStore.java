package io.weir.ledger.publish;

import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The table of publish attempts inside one transaction.
 *
 * <p>At most one attempt of a target is OPEN or UNKNOWN. A write that would make a second one
 * answers TARGET_BUSY ({@code PUBLISH_ATTEMPT_ONE_OPEN_PER_TARGET}).
 */
public interface AttemptStore {
    /**
     * Adds an attempt; the caller holds the locks of run and target. A token that another attempt
     * of the run has ({@code PUBLISH_ATTEMPT_TOKEN_ONCE}) runs the transaction again.
     *
     * @throws io.weir.core.error.WeirException TARGET_BUSY; LEDGER_INVARIANT for an epoch that the
     *     target has already
     */
    RowChange insert(AttemptRow row);

    /**
     * Applies a decided move.
     *
     * @param before the locked row; its version and state guard the write
     * @return empty, with nothing written, if the row moved meanwhile
     * @throws io.weir.core.error.WeirException TARGET_BUSY
     */
    Optional<RowChange> update(AttemptRow before, AttemptRow after);

    /** Locks the row until the transaction ends and reads it after that. */
    Optional<AttemptRow> lock(String target, long epoch, RunId runId);

    /** Reads without a lock. */
    Optional<AttemptRow> byToken(RunId runId, UUID token);

    /** The attempt, OPEN or UNKNOWN, that keeps a target taken; without a lock. */
    Optional<AttemptRow> unsettledAt(String target);

    /** Locks and reads those that are STAGED or OPEN, by target and epoch. */
    List<AttemptRow> lockUnsettled(RunId runId);

    /** By epoch, without locks. */
    List<AttemptRow> ofRun(RunId runId);
}
