package io.weir.core.run;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/**
 * A row of the outbox: somebody has to do the next step of a run.
 *
 * @param cycle 1, 2, … : how often the run needed this step
 * @param attempts deliveries that were begun
 * @param dueAt when it is delivered next; while a delivery is under way, when that one counts as
 *     lost
 * @param sentAt when a receiver took it; null before
 * @param lastError why the last delivery failed; null if none did
 */
public record Dispatch(
        UUID id,
        RunId runId,
        Kind kind,
        int cycle,
        DispatchState state,
        int attempts,
        Instant createdAt,
        Instant dueAt,
        @Nullable Instant sentAt,
        @Nullable Instant acknowledgedAt,
        @Nullable String lastError) {
    /** Which step. */
    public enum Kind {
        /** Stage the files and audit them. */
        VALIDATE_RUN,
        /** Make the audited files visible. */
        PUBLISH_RUN,
        /** Fence the target, read it, conclude whether the run is published. */
        RESOLVE_RUN,
        /** Read the published snapshot back. */
        CONFIRM_RUN
    }

    /** How far the call came. */
    public enum DispatchState {
        /** Waits for its time or is being delivered. */
        PENDING,
        /** A receiver took it; the start of the step moves it on. */
        SENT,
        /** The receiver started the step; final. */
        ACKED,
        /** Nobody took it however often it was tried; an operator can send it again. */
        DEAD,
        /** The run ended first; final. */
        CANCELLED;

        /** Whether the step may still be started by it. */
        public boolean isOpen() {
            return this == PENDING || this == SENT;
        }
    }
}
