package io.weir.ledger.replica;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A change of the books of replication, written in the transaction that made it.
 *
 * @param table null if it concerns the job
 * @param operator who wanted it; null if no person did
 * @param reason why; exactly if there is an operator
 * @param details columns that changed, as JSON
 */
public record ReplicaEvent(
        long sequence,
        Instant at,
        String job,
        @Nullable String table,
        String name,
        @Nullable String operator,
        @Nullable String reason,
        String details) {}
