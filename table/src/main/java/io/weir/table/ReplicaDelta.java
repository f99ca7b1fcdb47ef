package io.weir.table;

import io.weir.core.row.Balance;

import java.util.List;

/**
 * What a window changes in a table.
 *
 * @param appended files with the rows that come in, {@code _row_hash} included
 * @param removed rows that go out, one entry for each file that has any
 * @param emptied whether all rows of the base go out, because the source was truncated; then
 *     {@code removed} is empty
 * @param removedBalance balance of the rows that go out
 * @param appendedBalance balance of the rows that come in
 * @param from the position that the table has
 * @param to the position that it has afterwards
 */
public record ReplicaDelta(
        List<StagedFile> appended,
        List<RemovedRows> removed,
        boolean emptied,
        Balance removedBalance,
        Balance appendedBalance,
        LogPosition from,
        LogPosition to) {
    public ReplicaDelta {
        appended = List.copyOf(appended);
        removed = List.copyOf(removed);
    }

    /** Whether no row comes in or goes out. */
    public boolean isEmpty() {
        return appended.isEmpty() && removed.isEmpty() && !emptied;
    }
}
