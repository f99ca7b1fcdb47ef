package io.weir.flow.merge;

import io.weir.engine.MergeStrategy;
import io.weir.engine.Uniqueness;
import io.weir.table.LogPosition;
import io.weir.table.ReplicaTable;

/**
 * A window to merge.
 *
 * @param log what holds its changes
 * @param from position that the window begins behind; changes up to the position of the table are
 *     replays
 * @param to position that it ends with; the log holds every change of the table up to there
 */
public record MergeOrder(
        ReplicaTable target,
        ChangeFiles log,
        MergeStrategy strategy,
        Uniqueness uniqueness,
        LogPosition from,
        LogPosition to) {
    public MergeOrder {
        if (to.place() < from.place()) {
            throw new IllegalArgumentException("Not behind " + from + ": " + to);
        }
    }
}
