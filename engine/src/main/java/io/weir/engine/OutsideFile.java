package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a Parquet file of an outside log holds.
 *
 * @param types of the named columns, by the name that the job gives to each
 * @param before type of each field of the struct, in order
 * @param after the same of the other one
 * @param rows changes in the file
 * @param first smallest place; 0 without rows
 * @param last greatest place; 0 without rows
 */
public record OutsideFile(
        Path path,
        Map<String, String> types,
        Map<String, String> before,
        Map<String, String> after,
        long rows,
        long first,
        long last) {
    /**
     * The columns of a row after a change, for a table that is made for them.
     *
     * @param key columns that are never NULL
     * @param exclude columns to leave out
     * @return with the field ids 1, 2, …
     * @throws WeirException {@link ErrorCode#LOG_UNFIT} if a column has a type that no table takes
     */
    public List<Column> columns(List<String> key, List<String> exclude) {
        List<Column> columns = new ArrayList<>();
        after.forEach((name, type) -> {
            if (!exclude.contains(name)) {
                columns.add(OutsideTypes.column(columns.size() + 1, name, type, key.contains(name))
                        .orElseThrow(() -> new WeirException(
                                ErrorCode.LOG_UNFIT,
                                "Cannot keep a table for file " + path + ": column " + name
                                        + " has a type that no table takes (type=" + type + ")",
                                "Leave the column out with exclude, or write it as a type that"
                                        + " docs/replicate.md lists.",
                                null)));
            }
        });
        return columns;
    }

    /**
     * Every reason why the file does not tell rows of these columns; empty if it does.
     *
     * @param exclude columns of the file to leave out
     */
    public List<String> differences(List<Column> columns, List<String> exclude) {
        List<String> differences = new ArrayList<>();
        differences("before", before, columns, exclude, differences);
        differences("after", after, columns, exclude, differences);
        return differences;
    }

    /** The columns of the file that are none of these, in order. */
    public List<String> added(List<Column> columns, List<String> exclude) {
        return Stream.of(before, after)
                .flatMap(fields -> fields.keySet().stream())
                .distinct()
                .filter(name -> !exclude.contains(name)
                        && columns.stream().noneMatch(column -> column.name().equals(name)))
                .toList();
    }

    private static void differences(
            String image,
            Map<String, String> fields,
            List<Column> columns,
            List<String> exclude,
            List<String> differences) {
        for (Column column : columns) {
            String type = fields.get(column.name());
            if (type == null) {
                differences.add("column " + column.name() + " is missing in " + image);
            } else if (!OutsideTypes.isTaken(type, column)) {
                differences.add("column " + column.name() + " is " + type + " in " + image + " and "
                        + column.type() + " in the table");
            }
        }
        for (String name : fields.keySet()) {
            boolean known = columns.stream().anyMatch(column -> column.name().equals(name));
            if (!known && !exclude.contains(name)) {
                differences.add("column " + name + " of " + image + " is none of the table");
            }
        }
    }
}
