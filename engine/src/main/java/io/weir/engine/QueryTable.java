package io.weir.engine;

import io.weir.core.row.RowSchema;

import java.nio.file.Path;
import java.util.List;

/**
 * A table that a query may read.
 *
 * @param schema its columns; they are found in the files by field id
 * @param files its local Parquet files; none for an empty table
 */
public record QueryTable(RowSchema schema, List<Path> files) {
    public QueryTable {
        files = List.copyOf(files);
    }
}
