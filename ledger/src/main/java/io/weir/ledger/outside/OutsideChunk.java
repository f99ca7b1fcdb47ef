package io.weir.ledger.outside;

import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * One file that an outside flow reported.
 *
 * @param total how many chunks the partition has, as this report says
 * @param state WRITTEN counts; LATE and FAILED do not
 */
public record OutsideChunk(
        RunId runId,
        PartitionId partitionId,
        long epoch,
        int index,
        int total,
        @Nullable String fragment,
        String path,
        long rows,
        @Nullable Long bytes,
        State state) {
    /** Whether it counts, and why not. */
    public enum State {
        WRITTEN,
        FAILED,
        LATE
    }

    /** Whether two reports say the same of one chunk. */
    boolean saysTheSame(OutsideChunk other) {
        return total == other.total
                && rows == other.rows
                && path.equals(other.path)
                && Objects.equals(bytes, other.bytes);
    }
}
