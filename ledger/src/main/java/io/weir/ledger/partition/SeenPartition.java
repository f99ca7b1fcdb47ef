package io.weir.ledger.partition;

import io.weir.core.run.Partition;

import java.time.Instant;
import java.util.List;

/**
 * A partition as it was at one moment, read without a lock: true until somebody moves it.
 *
 * @param at when it was so, by the clock of the books
 * @param dataPath of its run; that never changes
 * @param chunks indexes of those that its latest claim has reported
 * @param lastReported whether the last of them is known
 */
public record SeenPartition(
        Partition row, Instant at, String dataPath, List<Integer> chunks, boolean lastReported) {
    public SeenPartition {
        chunks = List.copyOf(chunks);
    }

    public PartitionKey key() {
        return PartitionKey.of(row);
    }
}
