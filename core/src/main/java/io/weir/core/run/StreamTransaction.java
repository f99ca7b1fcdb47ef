package io.weir.core.run;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * A transaction of a streaming connection that is not over yet, or that ended without its
 * connection.
 *
 * @param target the table, {@code namespace.table}
 * @param agent who writes, in words
 * @param worker host and process id
 * @param source that numbers its transactions; null if none does
 * @param sequence within the source; null if not known yet
 * @param records that became rows, as of the last sign
 * @param timeout how long it lives without a sign
 * @param begunAt when it began
 * @param leaseUntil when it expires unless a sign comes
 * @param reason who aborted it and why; only if ABORTED
 */
public record StreamTransaction(
        UUID id,
        String target,
        String agent,
        String worker,
        @Nullable String source,
        @Nullable Long sequence,
        StreamState state,
        long records,
        Duration timeout,
        Instant begunAt,
        Instant leaseUntil,
        @Nullable String reason) {
    /** The same in another state and under another lease. */
    public StreamTransaction moved(StreamState next, long rows, Instant until) {
        return new StreamTransaction(
                id, target, agent, worker, source, sequence, next, rows, timeout, begunAt, until,
                reason);
    }

    /** The same, aborted by somebody else. */
    public StreamTransaction aborted(String why) {
        return new StreamTransaction(
                id,
                target,
                agent,
                worker,
                source,
                sequence,
                StreamState.ABORTED,
                records,
                timeout,
                begunAt,
                leaseUntil,
                why);
    }
}
