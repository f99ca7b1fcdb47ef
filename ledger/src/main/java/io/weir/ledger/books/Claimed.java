package io.weir.ledger.books;

import io.weir.core.run.Partition;
import io.weir.core.run.SnapshotHolder;
import io.weir.ledger.partition.PartitionMachine;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * A claim that is in the books.
 *
 * @param at the time of its event; it began then, and its lease was counted from then
 * @param holder of the run, the one with the longest lease; null if there is none
 */
public record Claimed(Partition row, Instant at, @Nullable SnapshotHolder holder) {
    /** A decided claim, with the times that it really has. */
    public static Claimed of(
            Partition decided, Instant at, Duration lease, @Nullable SnapshotHolder holder) {
        return new Claimed(PartitionMachine.begun(decided, at, at.plus(lease)), at, holder);
    }
}
