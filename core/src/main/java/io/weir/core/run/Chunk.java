package io.weir.core.run;

import io.weir.core.row.Balance;

import org.jspecify.annotations.Nullable;

/**
 * One durable file of a partition, as the ledger holds it.
 *
 * @param epoch the claim that wrote it
 * @param index 0, 1, … within the partition and epoch
 * @param path full location, which {@link ChunkFile} says; null for the only chunk of an empty
 *     partition, which has no file
 * @param balance what the source encoder computed from wire bytes
 * @param measured what the file encoder computed from the staged file; null before
 * @param last whether the partition ends with this chunk
 */
public record Chunk(
        RunId runId,
        PartitionId partitionId,
        long epoch,
        int index,
        @Nullable String path,
        long bytes,
        Balance balance,
        @Nullable Balance measured,
        boolean last,
        ChunkState state) {}
