package io.weir.flow.merge;

import io.weir.core.row.Balance;
import io.weir.table.ReplicaDelta;

/**
 * A window that can be published. Its files are durable; planning the same window again on the same
 * base gives the same rows.
 *
 * @param baseSnapshotId the snapshot that the plan fits, and no other
 * @param events changes of the window without replays
 * @param replays changes that the table has already, dropped by their position
 * @param inserted keys that come in; in a table without key, rows
 * @param updated keys whose row changes
 * @param deleted keys that go out; in a table without key, rows
 * @param truncates how often the source was truncated
 * @param opening balance of the base
 * @param closing balance afterwards: opening − removed + appended
 * @param before Σ of the rows that go out
 * @param after Σ of the rows that come in
 * @param duplicates keys with more than one row that the check of uniqueness found; 0
 */
public record MergePlan(
        MergeOrder order,
        long baseSnapshotId,
        long events,
        long replays,
        long inserted,
        long updated,
        long deleted,
        long truncates,
        Balance opening,
        Balance closing,
        Balance before,
        Balance after,
        long duplicates,
        ReplicaDelta delta)
        implements MergeAnswer {}
