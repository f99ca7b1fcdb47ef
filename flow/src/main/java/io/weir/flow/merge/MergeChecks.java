package io.weir.flow.merge;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.table.ReplicaState;

import java.util.List;

/** What must hold before a window is looked at. */
final class MergeChecks {
    private MergeChecks() {}

    static void check(MergeOrder order, ReplicaState state, long baseSnapshotId) {
        String table = order.target().target();
        if (state.snapshotId() != baseSnapshotId) {
            throw new WeirException(
                    ErrorCode.TABLE_MOVED,
                    "Cannot merge into table " + table + ": main is another snapshot (base="
                            + baseSnapshotId + ", main=" + state.snapshotId() + ")");
        }
        if (order.from().place() > state.merged().place()) {
            throw new WeirException(
                    ErrorCode.MERGE_WINDOW_GAP,
                    "Cannot merge into table " + table
                            + ": changes before the window are missing in the table (window="
                            + order.from().text() + ", table=" + state.merged().text() + ")");
        }
        checkColumns(table, order.log().rows(), order.target().rows());
        if (order.target().rows().key().isEmpty() && !state.exact()) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot merge into table " + table + ": without a key nobody can tell which"
                            + " changes are in its rows already, so its position must be known"
                            + " exactly (position=" + state.merged().text() + ")",
                    "Load the table anew.",
                    null);
        }
    }

    private static void checkColumns(String table, RowSchema log, RowSchema target) {
        List<String> found = shape(log.columns());
        List<String> wanted = shape(target.columns());
        if (!found.equals(wanted)) {
            throw new WeirException(
                    ErrorCode.TARGET_SCHEMA_MISMATCH,
                    "Cannot merge into table " + table + ": its columns are not those of the log"
                            + " (table=" + wanted + ", log=" + found + ")");
        }
    }

    private static List<String> shape(List<Column> columns) {
        return columns.stream()
                .map(column -> column.fieldId() + ":" + column.name() + " " + column.type())
                .sorted()
                .toList();
    }
}
