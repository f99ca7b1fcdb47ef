package io.weir.flow.replicate;

import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.ReplicaWindow;

import org.jspecify.annotations.Nullable;

/**
 * How far a window took a table.
 *
 * @param window what was published; null if no row changed
 */
public record TableResult(
        String table, LogPlace to, @Nullable ReplicaWindow window) {}
