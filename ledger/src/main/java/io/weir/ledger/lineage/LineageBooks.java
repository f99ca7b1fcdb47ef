package io.weir.ledger.lineage;

import io.weir.core.error.ErrorCode;
import io.weir.core.run.RunId;

import java.util.Optional;

/**
 * How far the lineage of each run was told. Safe for use by many threads and processes; every call
 * throws {@link ErrorCode#LEDGER_UNREACHABLE} if the books cannot be reached.
 */
public interface LineageBooks {
    /**
     * Leases the oldest run of which something is due. A run is told of once it has a manifest or
     * ended. Runs that had ended before the first call ever are left out.
     *
     * @return empty if nothing is due, or somebody else just took it
     */
    Optional<Untold> next();

    /**
     * Keeps that an event was taken by whoever it was told to.
     *
     * @param last whether it was the end of the run
     */
    void told(RunId runId, Untold.Mark mark, boolean last);

    /** Keeps that telling failed: it is due again after a pause that grows, at most 5 minutes. */
    void postpone(RunId runId);
}
