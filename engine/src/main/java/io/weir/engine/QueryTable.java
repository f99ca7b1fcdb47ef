package io.weir.engine;

import io.weir.core.row.RowPositions;
import io.weir.core.row.RowSchema;

import java.nio.file.Path;
import java.util.List;

/**
 * A table that a query may read.
 *
 * @param schema its columns; they are found in the files by field id
 * @param files its local Parquet files, with the rows of each that are no longer in the table; none
 *     for an empty table
 */
public record QueryTable(RowSchema schema, List<File> files) {
    public QueryTable {
        files = List.copyOf(files);
    }

    /**
     * A live file of the table.
     *
     * @param deleted rows of it that are no longer in the table
     */
    public record File(Path path, RowPositions deleted) {}

    /** A table whose files hold no row that was deleted. */
    public static QueryTable of(RowSchema schema, List<Path> files) {
        return new QueryTable(
                schema,
                files.stream().map(file -> new File(file, RowPositions.NONE)).toList());
    }

    List<Path> paths() {
        return files.stream().map(File::path).toList();
    }
}
