package io.weir.ledger.publish;

import io.weir.core.error.ErrorCode;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.Decision.AlreadyDone;
import io.weir.ledger.decision.Decision.Move;
import io.weir.ledger.decision.Decision.Refuse;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/** Which command moves an attempt from which state to which. Pure: no row is read. */
public final class PublishMachine {
    private PublishMachine() {}

    public static Decision<AttemptRow> decide(AttemptRow row, PublishCommand command) {
        return command.accept(new Rules(row));
    }

    private static final class Rules implements PublishCommand.Visitor<Decision<AttemptRow>> {
        private final AttemptRow row;
        private final PublishAttempt attempt;

        Rules(AttemptRow row) {
            this.row = row;
            this.attempt = row.attempt();
        }

        @Override
        public Decision<AttemptRow> stage(PublishCommand.Stage command) {
            if (isStranger(command.token())) {
                return stranger("stage");
            }
            Long staged = attempt.stagedSnapshotId();
            boolean same = staged != null && staged == command.snapshotId();
            if (same && attempt.evidence() == null) {
                return new AlreadyDone<>(row);
            }
            // What was opened was audited before: only a renewed attempt stages while OPEN.
            boolean fresh = attempt.state() == AttemptState.OPEN && staged == null;
            return fresh || attempt.state() == AttemptState.STAGED
                    ? new Move<>(
                            row.moved(attempt.state(), command.snapshotId(), null),
                            "ATTEMPT_STAGED")
                    : mismatch("stage");
        }

        @Override
        public Decision<AttemptRow> open(PublishCommand.Open command) {
            if (isStranger(command.token())) {
                return stranger("open");
            }
            return switch (attempt.state()) {
                case STAGED -> {
                    if (attempt.stagedSnapshotId() == null) {
                        yield new Refuse<>(
                                ErrorCode.RUN_STATE_MISMATCH,
                                "Cannot open " + name() + ": nothing is staged (branch="
                                        + attempt.branch() + ")");
                    }
                    yield move(AttemptState.OPEN, null, "ATTEMPT_OPENED");
                }
                case OPEN -> new AlreadyDone<>(row);
                case PUBLISHED, FAILED, UNKNOWN -> mismatch("open");
            };
        }

        @Override
        public Decision<AttemptRow> settle(PublishCommand.Settle command) {
            if (isStranger(command.token())) {
                return stranger("settle");
            }
            AttemptState next = stateOf(command.outcome());
            if (attempt.state() == next) {
                return new AlreadyDone<>(row);
            }
            return switch (attempt.state()) {
                case OPEN, UNKNOWN -> move(next, command.evidence(), "ATTEMPT_" + next);
                case STAGED, PUBLISHED, FAILED -> mismatch("settle");
            };
        }

        @Override
        public Decision<AttemptRow> replace(PublishCommand.Replace command) {
            if (isStranger(command.token())) {
                return stranger("replace");
            }
            return attempt.state() == AttemptState.OPEN
                    ? move(AttemptState.FAILED, command.evidence(), "ATTEMPT_REPLACED")
                    : mismatch("replace");
        }

        @Override
        public Decision<AttemptRow> abandon(PublishCommand.Abandon command) {
            return switch (attempt.state()) {
                case STAGED -> move(AttemptState.FAILED, command.evidence(), "ATTEMPT_ABANDONED");
                case FAILED -> new AlreadyDone<>(row);
                // It may have been sent: only evidence ends it.
                case OPEN, PUBLISHED, UNKNOWN -> mismatch("abandon");
            };
        }

        @Override
        public Decision<AttemptRow> lose(PublishCommand.Lose command) {
            return switch (attempt.state()) {
                case OPEN -> move(AttemptState.UNKNOWN, command.evidence(), "ATTEMPT_UNKNOWN");
                case UNKNOWN -> new AlreadyDone<>(row);
                case STAGED, PUBLISHED, FAILED -> mismatch("lose");
            };
        }

        private Decision<AttemptRow> move(
                AttemptState state, @Nullable String evidence, String event) {
            return new Move<>(row.moved(state, attempt.stagedSnapshotId(), evidence), event);
        }

        private boolean isStranger(UUID token) {
            return !token.equals(attempt.token());
        }

        private Decision<AttemptRow> stranger(String action) {
            return new Refuse<>(
                    ErrorCode.PUBLISH_TOKEN_MISMATCH,
                    "Cannot " + action + " " + name() + ": another owner holds it (run="
                            + attempt.runId() + ", state=" + attempt.state() + ")");
        }

        private Decision<AttemptRow> mismatch(String action) {
            return new Refuse<>(
                    ErrorCode.RUN_STATE_MISMATCH,
                    "Cannot " + action + " " + name() + ": it is in another state (state="
                            + attempt.state() + ")");
        }

        private String name() {
            return "attempt " + attempt.epoch() + " at target " + attempt.target();
        }

        private static AttemptState stateOf(PublishOutcome outcome) {
            return switch (outcome) {
                case PUBLISHED -> AttemptState.PUBLISHED;
                case FAILED, ABSENT -> AttemptState.FAILED;
                case UNKNOWN -> AttemptState.UNKNOWN;
            };
        }
    }
}
