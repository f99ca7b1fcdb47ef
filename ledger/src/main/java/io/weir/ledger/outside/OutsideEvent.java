package io.weir.ledger.outside;

import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * What happened to an outside run.
 *
 * @param level INFO, WARN or ERROR
 * @param details a JSON object with the columns that changed, by row
 */
public record OutsideEvent(
        long sequence,
        Instant at,
        RunId runId,
        @Nullable PartitionId partitionId,
        String level,
        String name,
        String message,
        String details) {}
