package io.weir.ledger.process;

import io.weir.core.run.StreamTransaction;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of open transactions of streaming connections inside one transaction. */
public interface StreamStore {
    /** Adds a row, or takes the place of the older one of the same id. */
    void put(StreamTransaction row);

    /** The row, locked until the transaction ends. */
    Optional<StreamTransaction> lock(UUID id);

    void remove(UUID id);

    /**
     * Removes rows whose lease ended before a time.
     *
     * @return how many; never more than asked for
     */
    int removeEndedBefore(Instant time, int most);

    /** All rows, the oldest first. */
    List<StreamTransaction> all();
}
