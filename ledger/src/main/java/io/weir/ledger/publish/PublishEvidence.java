package io.weir.ledger.publish;

import org.jspecify.annotations.Nullable;

/**
 * What a target says about an attempt after it was fenced.
 *
 * @param published whether the target shows the rows of the attempt
 * @param snapshotId the snapshot of main that shows them; null if not published
 * @param text what was read and where, for the ledger and for people
 */
public record PublishEvidence(boolean published, @Nullable Long snapshotId, String text) {
    /** The target shows the rows. */
    public static PublishEvidence published(long snapshotId, String text) {
        return new PublishEvidence(true, snapshotId, text);
    }

    /** The target does not show the rows and, being fenced, never will. */
    public static PublishEvidence absent(String text) {
        return new PublishEvidence(false, null, text);
    }
}
