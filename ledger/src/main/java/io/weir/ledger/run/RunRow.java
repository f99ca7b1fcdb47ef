package io.weir.ledger.run;

import io.weir.core.run.Run;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * The whole row of a run: what everybody sees, and what only the ledger needs.
 *
 * @param columns names of the columns to read; empty before the manifest
 * @param manifestDigest null before the manifest
 * @param auditor who started the audit; null before
 */
public record RunRow(
        Run run,
        String idempotencyKey,
        String fingerprint,
        boolean allowEmpty,
        Duration lease,
        List<String> columns,
        @Nullable String manifestDigest,
        @Nullable String auditor) {
    public RunRow {
        columns = List.copyOf(columns);
    }
}
