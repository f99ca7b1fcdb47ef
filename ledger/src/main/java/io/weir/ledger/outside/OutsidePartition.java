package io.weir.ledger.outside;

import io.weir.core.run.Failure;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * One range of an outside run.
 *
 * @param lower digits; null exactly for the rows whose split column is NULL
 * @param leaseMillis how long a claim lives without a sign
 */
public record OutsidePartition(
        RunId runId,
        PartitionId id,
        int ordinal,
        @Nullable String lower,
        @Nullable String upper,
        boolean upperInclusive,
        boolean isNull,
        PartitionState state,
        long version,
        long epoch,
        @Nullable String tokenDigest,
        @Nullable String worker,
        long leaseMillis,
        long expectedRows,
        long rows,
        long bytes,
        int chunkCount,
        @Nullable Failure failure,
        @Nullable Instant startedAt,
        @Nullable Instant leaseUntil,
        @Nullable Instant endedAt) {}
