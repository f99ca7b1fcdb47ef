package io.weir.table;

import io.weir.core.error.WeirException;

import org.jspecify.annotations.Nullable;

/**
 * What became of one transaction.
 *
 * @param snapshotId the snapshot that shows the rows; only if COMMITTED
 * @param refusal why the rows are not in the table; only if REFUSED
 */
public record IngestOutcome(
        Kind kind, @Nullable Long snapshotId, @Nullable WeirException refusal) {
    /** The three ends. */
    public enum Kind {
        /** Every query that starts now sees the rows. */
        COMMITTED,
        /** An earlier commit of the same identity has them; these files are not needed. */
        REPEATED,
        /** Proven not to be in the table. */
        REFUSED
    }

    static IngestOutcome committed(long snapshotId) {
        return new IngestOutcome(Kind.COMMITTED, snapshotId, null);
    }

    static IngestOutcome repeated() {
        return new IngestOutcome(Kind.REPEATED, null, null);
    }

    static IngestOutcome refused(WeirException refusal) {
        return new IngestOutcome(Kind.REFUSED, null, refusal);
    }
}
