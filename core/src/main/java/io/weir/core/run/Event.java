package io.weir.core.run;

import com.fasterxml.jackson.databind.JsonNode;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * One change, written in the transaction that made it.
 *
 * @param sequence order within the ledger
 * @param name past tense, such as {@code PARTITION_SUCCEEDED}
 * @param details the fields that changed, so that events replay to the row
 */
public record Event(
        long sequence,
        Instant at,
        RunId runId,
        @Nullable PartitionId partitionId,
        String name,
        JsonNode details) {}
