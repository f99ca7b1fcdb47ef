package io.weir.ledger.outside;

import io.weir.core.run.RunState;

import java.util.Map;

/** Which states of an outside run follow which. Pure. */
public final class OutsideStates {
    /** How a flow may end a run, by the state that it believes the run is in. */
    public static final Map<RunState, RunState> FAILURES = Map.of(
            RunState.CREATED, RunState.FAILED_MANIFEST,
            RunState.EXTRACTING, RunState.FAILED_EXTRACT,
            RunState.STAGE_VALIDATING, RunState.FAILED_STAGE_VALIDATION,
            RunState.STAGING_VALIDATED, RunState.FAILED_PUBLISH,
            RunState.PUBLISHED, RunState.FAILED_TARGET_VALIDATION);

    private OutsideStates() {}

    /** Whether a flow may end a run so. */
    static boolean mayFail(RunState expected, RunState failure) {
        return failure == FAILURES.get(expected);
    }
}
