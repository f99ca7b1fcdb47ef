package io.weir.ledger.lineage;

import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A run of which something has to be told, leased to the one who asked.
 *
 * @param start the event that opened the run; null if it was told
 * @param end the event that ended it; null while it goes on
 */
public record Untold(
        RunId runId,
        Books books,
        @Nullable Mark start,
        @Nullable Mark end) {
    /** Which books the run is in. */
    public enum Books {
        OWN,
        OUTSIDE
    }

    /** One event of the ledger. */
    public record Mark(long sequence, Instant at) {}
}
