package io.weir.engine;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A window of a change log and the table that it is merged into.
 *
 * @param logFiles files that hold the changes of the window, and maybe others
 * @param log columns of the log by their names: {@code place, ordinal, op, before, after,
 *     before_digest, after_digest, before_missing, after_missing}
 * @param from place that the window begins behind
 * @param merged place up to which changes are in the table; those of the window are replays
 * @param to place that the window ends with
 * @param exact whether no change behind {@code merged} is in the table
 * @param files every live file of the table
 * @param rows columns of a row under the field ids of its digest, and the key
 * @param rowHash column of the table that holds the digest
 */
public record MergeInput(
        List<Path> logFiles,
        RowSchema log,
        long from,
        long merged,
        long to,
        boolean exact,
        List<MergeFile> files,
        RowSchema rows,
        Column rowHash,
        PartitionBy partitionBy,
        MergeStrategy strategy,
        Uniqueness uniqueness) {
    public MergeInput {
        logFiles = List.copyOf(logFiles);
        files = List.copyOf(files);
    }

    List<Path> paths() {
        return files.stream().map(MergeFile::path).toList();
    }

    List<Column> key() {
        return rows.key().stream().map(rows::column).toList();
    }

    boolean hasKey() {
        return !rows.key().isEmpty();
    }

    /** What files of the table hold. */
    RowSchema stored() {
        List<Column> columns = new ArrayList<>(rows.columns());
        columns.add(rowHash);
        return new RowSchema(columns, rows.key());
    }
}
