package io.weir.source;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import java.util.List;

/**
 * A table that can be read.
 *
 * @param qualifiedName schema and name, quoted where the database would need it
 * @param columns in the order of the source, with provisional field ids 1 to n
 * @param primaryKey names in key order; empty if there is none, or if it does not make rows unique
 *     because a key column is left out or other tables inherit from this one
 * @param estimatedRows what the planner of the database expects
 * @param estimatedBytes size at the source, without indexes
 */
public record SourceTable(
        String qualifiedName,
        List<Column> columns,
        List<String> primaryKey,
        long estimatedRows,
        long estimatedBytes) {
    public SourceTable {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
    }

    /** The columns under their provisional field ids. */
    public RowSchema schema() {
        return new RowSchema(columns, primaryKey);
    }
}
