package io.weir.flow.load;

import io.weir.core.run.PartitionId;

/**
 * How far one partition is.
 *
 * @param rows rows read so far
 * @param bytes source bytes read so far
 * @param estimatedBytes source bytes that the partition is believed to hold
 */
public record PartitionProgress(
        PartitionId id, Phase phase, long rows, long bytes, long estimatedBytes) {
    /** Where the partition is. */
    public enum Phase {
        WAITING,
        READING,
        DONE
    }
}
