package io.weir.ledger.run;

import io.weir.core.run.Dispatch;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import java.util.Optional;

/** Which state waits for which step of the outbox, and what holds while it does. */
public final class StepRules {
    private StepRules() {}

    /** The state in which the step is asked for. */
    static RunState waiting(Dispatch.Kind kind) {
        return switch (kind) {
            case VALIDATE_RUN -> RunState.EXTRACTED_VALIDATED;
            case PUBLISH_RUN -> RunState.STAGING_VALIDATED;
            case RESOLVE_RUN -> RunState.PUBLISH_UNKNOWN;
            case CONFIRM_RUN -> RunState.PUBLISHED;
        };
    }

    /** The state once somebody does it. */
    static RunState working(Dispatch.Kind kind) {
        return kind == Dispatch.Kind.VALIDATE_RUN ? RunState.STAGE_VALIDATING : waiting(kind);
    }

    /** The step that the run waits for; empty if somebody does it or nothing is left to do. */
    public static Optional<Dispatch.Kind> needed(Run run) {
        if (run.owner() != null) {
            return Optional.empty();
        }
        return switch (run.state()) {
            case EXTRACTED_VALIDATED -> Optional.of(Dispatch.Kind.VALIDATE_RUN);
            case STAGING_VALIDATED -> Optional.of(Dispatch.Kind.PUBLISH_RUN);
            case PUBLISH_UNKNOWN -> Optional.of(Dispatch.Kind.RESOLVE_RUN);
            case PUBLISHED ->
                run.confirmedAt() == null
                        ? Optional.of(Dispatch.Kind.CONFIRM_RUN)
                        : Optional.empty();
            case CREATED,
                    EXTRACTING,
                    STAGE_VALIDATING,
                    PUBLISHING,
                    SUCCESS,
                    FAILED_MANIFEST,
                    FAILED_EXTRACT,
                    FAILED_SNAPSHOT_EXPIRED,
                    FAILED_STAGE_VALIDATION,
                    FAILED_PUBLISH,
                    FAILED_TARGET_VALIDATION,
                    TIMED_OUT,
                    CANCELLED -> Optional.empty();
        };
    }

    /** Whether what is staged was proven equal to what was read. */
    public static boolean isAudited(RunState state) {
        return state == RunState.STAGING_VALIDATED
                || state == RunState.PUBLISHING
                || state == RunState.PUBLISH_UNKNOWN
                || state == RunState.PUBLISHED
                || state == RunState.SUCCESS;
    }

    /** The step that is lost with its owner in a state; empty where no step is done. */
    public static Optional<Dispatch.Kind> done(RunState state) {
        return switch (state) {
            case STAGE_VALIDATING -> Optional.of(Dispatch.Kind.VALIDATE_RUN);
            case STAGING_VALIDATED, PUBLISHING -> Optional.of(Dispatch.Kind.PUBLISH_RUN);
            case PUBLISH_UNKNOWN -> Optional.of(Dispatch.Kind.RESOLVE_RUN);
            case PUBLISHED -> Optional.of(Dispatch.Kind.CONFIRM_RUN);
            default -> Optional.empty();
        };
    }
}
