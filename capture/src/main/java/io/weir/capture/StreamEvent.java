package io.weir.capture;

import io.weir.core.run.Position;

import org.jspecify.annotations.Nullable;

/**
 * One step of a change stream. Every {@link Begin} is followed by the changes of its transaction
 * and one {@link Commit}; transactions do not interleave. Only at the commit it is known that the
 * changes happened and where; a reader that needs both holds them back until then.
 */
public sealed interface StreamEvent {
    /**
     * A transaction starts.
     *
     * @param transaction the name that the source gave it; used again after a long time
     */
    record Begin(String transaction) implements StreamEvent {}

    /**
     * One change of one table.
     *
     * @param table qualified name
     * @param ordinal counts the changes of the transaction in their order, from 1; gaps are changes
     *     of tables that nobody asked for
     * @param commitMicros when the transaction was committed, microseconds since 1970 UTC
     * @param before the row as it was; null where there was none or nothing is known of it
     * @param after the row as it is; null where there is none
     */
    record Change(
            String table,
            long ordinal,
            long commitMicros,
            ChangeOp op,
            @Nullable RowImage before,
            @Nullable RowImage after)
            implements StreamEvent {}

    /**
     * The transaction is committed.
     *
     * @param position its end in the log
     * @param place the same as a number; grows from commit to commit of one log
     */
    record Commit(String transaction, Position position, long place) implements StreamEvent {}
}
