package io.weir.table;

import io.weir.core.row.Balance;

/**
 * What a replicated table says of itself.
 *
 * @param snapshotId what readers see
 * @param merged up to where the changes of the source are in it
 * @param exact whether no later change is in it; false for a table that was built from a state of
 *     which only the time is known, until the first window is merged
 * @param verified up to where its rows were audited
 * @param balance of the rows that readers see
 */
public record ReplicaState(
        long snapshotId,
        LogPosition merged,
        boolean exact,
        LogPosition verified,
        Balance balance) {}
