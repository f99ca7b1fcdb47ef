package io.weir.ledger.partition;

import io.weir.core.run.Partition;
import io.weir.core.run.SnapshotHolder;

import org.jspecify.annotations.Nullable;

/**
 * A partition under its lock with what a call has to know besides.
 *
 * @param dataPath of its run; that never changes
 * @param holder of its run, the one with the longest lease; null if there is none
 * @param met whether a chunk of the claim that calls has a reported index or is the last, so that
 *     the report is no plain one
 */
public record LockedPartition(
        Partition row, String dataPath, @Nullable SnapshotHolder holder, boolean met) {
    public PartitionKey key() {
        return PartitionKey.of(row);
    }
}
