package io.weir.ledger.replica;

import io.weir.core.publish.PublishAttempt;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * Changes between two places, merged into a table at once. Its attempt is one try to publish it;
 * the id of its run is that of the window.
 *
 * @param attempt state, epoch and token as those of every publish
 * @param version grows with every change; guards every update
 * @param jobEpoch the claim of the job under which it was opened
 * @param from behind this place
 * @param to up to and with this place
 * @param figures null until it is staged
 */
public record ReplicaWindow(
        PublishAttempt attempt,
        long version,
        String job,
        String table,
        long jobEpoch,
        LogPlace from,
        LogPlace to,
        @Nullable WindowFigures figures,
        @Nullable Instant openedAt,
        @Nullable Instant endedAt) {}
