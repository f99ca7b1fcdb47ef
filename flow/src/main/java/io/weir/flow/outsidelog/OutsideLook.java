package io.weir.flow.outsidelog;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.engine.Engine;
import io.weir.engine.OutsideFile;

import java.util.List;

/** A look at an outside log that takes nothing. */
public final class OutsideLook {
    private final Engine engine;

    public OutsideLook(Engine engine) {
        this.engine = engine;
    }

    /**
     * The columns of a table that is made for the log, from its first file by name.
     *
     * @param table its name in messages
     * @throws WeirException {@link ErrorCode#LOG_EMPTY} as long as there is no file, {@link
     *     ErrorCode#LOG_UNFIT}, {@link ErrorCode#LOG_FILE_UNFINISHED}, {@link
     *     ErrorCode#LOG_CHANGE_INVALID}
     */
    public List<Column> columns(OutsideLog outside, String table) {
        List<FoundFile> files =
                LogListing.of(outside.directory()).values().stream().limit(1).toList();
        if (files.isEmpty()) {
            throw new WeirException(
                    ErrorCode.LOG_EMPTY,
                    "Cannot make a table for " + table + ": no Parquet file lies below "
                            + outside.directory());
        }
        OutsideFile file = OutsideFiles.of(
                new OutsideFiles(outside, table, engine).inspect(files), files.get(0));
        List<Column> columns = file.columns(outside.key(), outside.exclude());
        requireKey(outside, table, columns.stream().map(Column::name).toList());
        return columns;
    }

    private static void requireKey(OutsideLog outside, String table, List<String> names) {
        for (String column : outside.key()) {
            if (!names.contains(column)) {
                throw new WeirException(
                        ErrorCode.LOG_UNFIT,
                        "Cannot make a table for " + table + ": its key is none of the columns"
                                + " (key=" + column + ", columns=" + String.join(", ", names)
                                + ")");
            }
        }
    }

    /**
     * Makes sure that a table has the key that the job names.
     *
     * @throws WeirException {@link ErrorCode#LOG_UNFIT}
     */
    public static void requireSameKey(OutsideLog outside, String table, RowSchema rows) {
        boolean same =
                rows.key().size() == outside.key().size() && rows.key().containsAll(outside.key());
        if (!same) {
            throw new WeirException(
                    ErrorCode.LOG_UNFIT,
                    "Cannot merge into the table of " + table + ": it has another key than the job"
                            + " names (table=" + String.join(", ", rows.key()) + ", job="
                            + String.join(", ", outside.key()) + ")");
        }
    }

    /**
     * Looks at every file.
     *
     * @return how many there are
     * @throws WeirException as {@link #columns}; {@link ErrorCode#LOG_UNFIT} for the first file
     *     that does not tell rows of these columns
     */
    public int check(OutsideLog outside, String table, RowSchema rows) {
        List<FoundFile> files = List.copyOf(LogListing.of(outside.directory()).values());
        new OutsideFiles(outside, table, engine).inspect(files, rows);
        return files.size();
    }
}
