package io.weir.ledger.process;

import io.weir.core.run.WorkerSign;

import java.time.Instant;
import java.util.List;

/** The table of worker processes inside one transaction. */
public interface WorkerStore {
    /** Adds the sign, or takes the place of the older one of the same process. */
    void put(WorkerSign sign);

    /**
     * Removes workers without a sign since a time.
     *
     * @return how many; never more than asked for
     */
    int removeSeenBefore(Instant time, int most);

    /** Signs since a time, the newest first. */
    List<WorkerSign> since(Instant time);
}
