package io.weir.ledger.run;

import io.weir.core.run.RunState;

import java.util.EnumSet;
import java.util.Set;

/** How a run can end without success, by the state that it is in. */
final class RunEnds {
    private RunEnds() {}

    /** The states in which a run can end once somebody gives up in this one. */
    static Set<RunState> possible(RunState state) {
        return switch (state) {
            case CREATED -> EnumSet.of(RunState.FAILED_MANIFEST, RunState.CANCELLED);
            case EXTRACTING ->
                EnumSet.of(
                        RunState.FAILED_EXTRACT,
                        RunState.FAILED_SNAPSHOT_EXPIRED,
                        RunState.CANCELLED);
            case EXTRACTED_VALIDATED ->
                EnumSet.of(
                        RunState.FAILED_EXTRACT,
                        RunState.FAILED_STAGE_VALIDATION,
                        RunState.CANCELLED);
            case STAGE_VALIDATING ->
                EnumSet.of(RunState.FAILED_STAGE_VALIDATION, RunState.CANCELLED);
            case STAGING_VALIDATED -> EnumSet.of(RunState.FAILED_PUBLISH, RunState.CANCELLED);
            // What readers already see cannot be cancelled.
            case PUBLISHED -> EnumSet.of(RunState.FAILED_TARGET_VALIDATION);
            // Only evidence ends publishing, and it comes with the publish result.
            case PUBLISHING, PUBLISH_UNKNOWN -> EnumSet.noneOf(RunState.class);
            case SUCCESS,
                    FAILED_MANIFEST,
                    FAILED_EXTRACT,
                    FAILED_SNAPSHOT_EXPIRED,
                    FAILED_STAGE_VALIDATION,
                    FAILED_PUBLISH,
                    FAILED_TARGET_VALIDATION,
                    TIMED_OUT,
                    CANCELLED -> EnumSet.noneOf(RunState.class);
        };
    }

    /** How a run ends whose cut can no longer become whole. */
    static RunState broken(RunState state) {
        return switch (state) {
            case CREATED -> RunState.FAILED_MANIFEST;
            case STAGE_VALIDATING -> RunState.FAILED_STAGE_VALIDATION;
            case STAGING_VALIDATED -> RunState.FAILED_PUBLISH;
            default -> RunState.FAILED_EXTRACT;
        };
    }
}
