package io.weir.ledger.outside;

import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/**
 * A row of the outbox to outside receivers.
 *
 * @param cycle grows when the same step is needed again
 */
public record OutsideDispatch(
        UUID id,
        RunId runId,
        Kind kind,
        @Nullable PartitionId partitionId,
        int cycle,
        DispatchState state,
        int attempts,
        Instant createdAt,
        Instant dueAt,
        @Nullable Instant sentAt,
        @Nullable Instant acknowledgedAt,
        @Nullable Integer httpStatus,
        @Nullable String lastError) {
    /** Which step, and the path of the receiver that is called for it. */
    public enum Kind {
        VALIDATE_RUN("validate"),
        REISSUE_PARTITION("reissue"),
        /** Only to receivers that declare it. */
        PUBLISH_RUN("publish"),
        /** Only to receivers that declare it: measure the target of a published run. */
        CONFIRM_RUN("confirm");

        private final String path;

        Kind(String path) {
            this.path = path;
        }

        public String path() {
            return path;
        }
    }
}
