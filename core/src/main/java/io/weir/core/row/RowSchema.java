package io.weir.core.row;

import java.util.List;

/**
 * The columns of a row, in the order in which the source sends them, and the names of the key
 * columns; no key means that equal rows may repeat.
 */
public record RowSchema(List<Column> columns, List<String> key) {
    public RowSchema {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        for (String name : key) {
            if (columns.stream().noneMatch(column -> column.name().equals(name))) {
                throw new IllegalArgumentException("Key column " + name + " is not a column");
            }
        }
    }

    /**
     * The column of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Column column(String name) {
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No column " + name));
    }

    public List<String> names() {
        return columns.stream().map(Column::name).toList();
    }
}
