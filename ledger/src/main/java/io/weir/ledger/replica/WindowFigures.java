package io.weir.ledger.replica;

import io.weir.core.row.Balance;

import org.jspecify.annotations.Nullable;

/**
 * What a window does to a table, as its audit measured it.
 *
 * @param events changes of the log behind the table's place
 * @param replays changes at or below it, dropped
 * @param opening balance of the table before
 * @param removed of the rows that go out, from the files
 * @param appended of the rows that come in, from the files
 * @param closing balance of the table afterwards
 * @param before sum of the old rows of the changes; null if they tell no digests
 * @param after sum of their new rows; null if they tell no digests
 * @param allKeys whether every key of the table was looked at, not only those that came in
 */
public record WindowFigures(
        long events,
        long replays,
        long inserted,
        long updated,
        long deleted,
        Balance opening,
        Balance removed,
        Balance appended,
        Balance closing,
        @Nullable Balance before,
        @Nullable Balance after,
        boolean allKeys) {
    /** Whether files and changes both lead from the opening balance to the closing one. */
    public boolean isBalanced() {
        boolean files = opening.minus(removed).plus(appended).equals(closing);
        boolean told = before == null
                || after == null
                || opening.minus(before).plus(after).equals(closing);
        return files && told;
    }
}
