package io.weir.ledger.process;

import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The table of snapshot holders inside one transaction. */
public interface HolderStore {
    /**
     * Adds the holder, or prolongs its lease.
     *
     * @return whether it was added
     */
    boolean put(SnapshotHolder holder);

    /**
     * Removes holders whose run ended and whose lease is over.
     *
     * @return how many; never more than asked for
     */
    int removeEnded(Instant now, int most);

    /** Whether there was such a holder. */
    boolean remove(RunId runId, UUID id);

    /** The one with the longest lease first, without locks. */
    List<SnapshotHolder> ofRun(RunId runId);
}
