package io.weir.table;

import org.jspecify.annotations.Nullable;

/**
 * What is known after one try to publish.
 *
 * @param snapshotId the snapshot of main that shows the rows; only if PUBLISHED
 * @param reason in words
 * @param cause what came instead of a reply; only if UNKNOWN
 */
public record Published(
        Outcome outcome,
        @Nullable Long snapshotId,
        String reason,
        @Nullable RuntimeException cause) {
    /** The three answers. */
    public enum Outcome {
        /** Readers of main see the rows. */
        PUBLISHED,
        /** Proven not to have happened: the table is no longer what the attempt was staged on. */
        MOVED,
        /** It may or may not have happened; fence and read tell. */
        UNKNOWN
    }

    static Published published(long snapshotId, String reason) {
        return new Published(Outcome.PUBLISHED, snapshotId, reason, null);
    }

    static Published moved(String reason) {
        return new Published(Outcome.MOVED, null, reason, null);
    }

    static Published unknown(RuntimeException cause) {
        String reason = IcebergErrors.of("no reply to the commit", cause).text();
        return new Published(Outcome.UNKNOWN, null, reason, cause);
    }
}
