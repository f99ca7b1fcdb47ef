package io.weir.table;

import org.jspecify.annotations.Nullable;

/**
 * What a table says about a publish attempt.
 *
 * @param snapshotId the staged snapshot; only if PUBLISHED and known
 * @param text what was read, and where; for certificates
 */
public record Evidence(Verdict verdict, @Nullable Long snapshotId, String text) {
    /** The three answers. */
    public enum Verdict {
        PUBLISHED,
        /** Not visible. Final only after a fence, because a commit may still be under way. */
        NOT_PUBLISHED,
        /** History was expired where it would tell, and a later publish wrote over the property. */
        UNDETERMINED
    }

    /** Whether the table proves that the attempt was published. */
    public boolean published() {
        return verdict == Verdict.PUBLISHED;
    }
}
