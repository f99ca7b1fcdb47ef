package io.weir.core.run;

import io.weir.core.row.Balance;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/**
 * One range of a run, as the ledger holds it.
 *
 * @param ordinal place in the split plan
 * @param epoch number of the latest claim, 0 before the first; only grows
 * @param token of the latest claim
 * @param expectedRows null where the split does not know
 * @param progressRows rows that the worker's heartbeat last spoke of
 * @param progressBytes source bytes that the worker's heartbeat last spoke of
 * @param balance of the counted chunks; final once the state is SUCCESS
 */
public record Partition(
        RunId runId,
        PartitionId id,
        int ordinal,
        KeyRange range,
        PartitionState state,
        long version,
        long epoch,
        @Nullable UUID token,
        @Nullable String worker,
        @Nullable Long expectedRows,
        long progressRows,
        long progressBytes,
        int chunkCount,
        long bytes,
        Balance balance,
        @Nullable Failure failure,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable Instant leaseUntil) {}
