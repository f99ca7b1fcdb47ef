package io.weir.ledger.publish;

import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;

import org.jspecify.annotations.Nullable;

/**
 * The whole row of an attempt.
 *
 * @param version grows with every change; guards every update
 */
public record AttemptRow(PublishAttempt attempt, long version) {
    AttemptRow moved(AttemptState state, @Nullable Long staged, @Nullable String evidence) {
        return new AttemptRow(
                new PublishAttempt(
                        attempt.target(),
                        attempt.epoch(),
                        attempt.runId(),
                        attempt.token(),
                        state,
                        attempt.baseSnapshotId(),
                        staged,
                        evidence),
                version + 1);
    }
}
