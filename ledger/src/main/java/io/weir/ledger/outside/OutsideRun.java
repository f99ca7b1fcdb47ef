package io.weir.ledger.outside;

import io.weir.core.run.Failure;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * One run of an outside flow.
 *
 * @param parameters a JSON object
 * @param snapshot digits of the source's snapshot number; null where the source has none
 * @param validatorDigest SHA-256 of the name that the validating flow gave itself
 */
public record OutsideRun(
        RunId id,
        String job,
        String businessKey,
        RunState state,
        long version,
        @Nullable String idempotencyKey,
        String fingerprint,
        String runPath,
        String stageTable,
        boolean allowEmpty,
        String parameters,
        @Nullable String manifestDigest,
        @Nullable String snapshot,
        @Nullable Long sourceCount,
        @Nullable Long sourceNullSplitCount,
        @Nullable String sourceMinSplit,
        @Nullable String sourceMaxSplit,
        int partitionCount,
        int succeededPartitions,
        int failedPartitions,
        long extractedRows,
        @Nullable Long stagingCount,
        @Nullable Long targetCount,
        @Nullable String validatorDigest,
        @Nullable String publishTokenDigest,
        @Nullable Failure failure,
        Instant createdAt,
        Instant heartbeatAt,
        Instant deadline,
        @Nullable Instant extractedAt,
        @Nullable Instant publishStartedAt,
        @Nullable Instant publishedAt,
        @Nullable Instant endedAt,
        @Nullable Instant cleanedAt) {}
