package io.weir.ledger.run;

import io.weir.core.ledger.ReadOptions;
import io.weir.core.run.Run;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * The whole row of a run: what everybody sees, and what only the ledger needs.
 *
 * @param lease how long a step lives without a sign of its owner
 * @param columns names of the columns to read; empty before the manifest
 * @param reading how they are read; {@link ReadOptions#NONE} before the manifest
 * @param manifestDigest null before the manifest
 */
public record RunRow(
        Run run,
        String idempotencyKey,
        String fingerprint,
        boolean allowEmpty,
        Duration lease,
        List<String> columns,
        ReadOptions reading,
        @Nullable String manifestDigest) {
    public RunRow {
        columns = List.copyOf(columns);
    }
}
