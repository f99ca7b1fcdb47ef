package io.weir.core.publish;

import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/**
 * One try to publish a run to a target.
 *
 * @param target the table, {@code namespace.table}
 * @param epoch number of the attempt at this target; only grows
 * @param token of its owner
 * @param baseSnapshotId the snapshot of main from which the branch was taken
 * @param stagedSnapshotId the snapshot on the branch, null until staged
 * @param evidence what proved the outcome, null while open
 */
public record PublishAttempt(
        String target,
        long epoch,
        RunId runId,
        UUID token,
        AttemptState state,
        long baseSnapshotId,
        @Nullable Long stagedSnapshotId,
        @Nullable String evidence) {
    /** The branch that this attempt stages on. */
    public String branch() {
        return "weir-" + runId + "-e" + epoch;
    }

    /** The same attempt once its files are on its branch. */
    public PublishAttempt withStaged(long snapshotId) {
        return new PublishAttempt(
                target, epoch, runId, token, state, baseSnapshotId, snapshotId, evidence);
    }
}
