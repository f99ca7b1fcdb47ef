package io.weir.core.run;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/** A row of the outbox: somebody has to do the next step of a run. */
public record Dispatch(
        UUID id,
        RunId runId,
        Kind kind,
        int cycle,
        DispatchState state,
        int attempts,
        Instant createdAt,
        @Nullable Instant acknowledgedAt) {
    /** Which step. */
    public enum Kind {
        VALIDATE_RUN
    }

    /** How far the call came. */
    public enum DispatchState {
        PENDING,
        SENT,
        /** The receiver started the step; final. */
        ACKED,
        DEAD
    }
}
