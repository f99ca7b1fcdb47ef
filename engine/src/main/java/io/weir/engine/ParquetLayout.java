package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.duckdb.DuckDBConnection;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the footer of a Parquet file says: its row groups, and which fields it has under which ids.
 *
 * @param rows rows of the file
 * @param rowGroups in file order
 */
record ParquetLayout(Path file, long rows, List<RowGroup> rowGroups) {
    private static final Pattern DECIMAL = Pattern.compile("DECIMAL\\((\\d+),\\s*(\\d+)\\)");

    ParquetLayout {
        rowGroups = List.copyOf(rowGroups);
    }

    /**
     * A row group.
     *
     * @param offset where it starts in the file, in bytes
     * @param bytes uncompressed
     */
    record RowGroup(long rows, long offset, long bytes) {}

    /**
     * Reads the footer and checks that the fields are of the types that the columns need.
     *
     * @throws WeirException FILE_UNREADABLE if there is no such file or its fields do not fit
     */
    static ParquetLayout of(DuckDBConnection connection, Path file, List<Column> columns) {
        try {
            checkFields(file, fields(connection, file), columns);
            List<RowGroup> groups = rowGroups(connection, file);
            long rows = rows(connection, file);
            long groupRows = groups.stream().mapToLong(RowGroup::rows).sum();
            if (groupRows != rows) {
                throw unreadable(
                        file,
                        "its footer contradicts itself (rows=" + rows + ", row_group_rows="
                                + groupRows + ")");
            }
            return new ParquetLayout(file, rows, groups);
        } catch (SQLException e) {
            throw DuckdbErrors.read(e, file);
        }
    }

    static List<RowGroup> rowGroups(DuckDBConnection connection, Path file) throws SQLException {
        String sql = """
                select any_value(row_group_num_rows),
                    min(coalesce(nullif(dictionary_page_offset, 0), data_page_offset)),
                    sum(total_uncompressed_size)::bigint
                from parquet_metadata(%s)
                where row_group_id is not null
                group by row_group_id
                order by row_group_id
                """.formatted(DuckdbSql.pattern(file));
        List<RowGroup> groups = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                groups.add(new RowGroup(result.getLong(1), result.getLong(2), result.getLong(3)));
            }
        }
        return groups;
    }

    private static long rows(DuckDBConnection connection, Path file) throws SQLException {
        String sql = "select num_rows from parquet_file_metadata(" + DuckdbSql.pattern(file) + ")";
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            if (!result.next()) {
                throw unreadable(file, "it has no footer");
            }
            return result.getLong(1);
        }
    }

    /** DuckDB's types by field id. */
    static Map<Integer, String> fields(DuckDBConnection connection, Path file) throws SQLException {
        String sql = "select field_id, duckdb_type from parquet_schema(" + DuckdbSql.pattern(file)
                + ") where field_id is not null";
        Map<Integer, String> fields = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                int id = result.getInt(1);
                if (fields.put(id, String.valueOf(result.getString(2))) != null) {
                    throw unreadable(file, "it has a field id twice (field_id=" + id + ")");
                }
            }
        }
        return fields;
    }

    /** In a file that is older than a column every row has its initial default, if it may. */
    private static void checkFields(Path file, Map<Integer, String> fields, List<Column> columns) {
        if (fields.isEmpty()) {
            throw unreadable(file, "its columns have no field ids");
        }
        for (Column column : columns) {
            String found = fields.get(column.fieldId());
            if (found == null) {
                if (column.required() && column.initialDefault() == null) {
                    throw unreadable(
                            file,
                            "it lacks a required column (column=" + column.name() + ", field_id="
                                    + column.fieldId() + ")");
                }
            } else if (!holds(found, column.type())) {
                throw unreadable(
                        file,
                        "a column has another type (column=" + column.name() + ", field_id="
                                + column.fieldId() + ", expected="
                                + DuckdbSql.type(column.type()) + ", found=" + found + ")");
            }
        }
    }

    /** The same type, or one that Iceberg lets a table widen. */
    private static boolean holds(String found, Type type) {
        if (found.equals(DuckdbSql.type(type))) {
            return true;
        }
        return switch (type.typeId()) {
            case LONG -> found.equals("INTEGER");
            case DOUBLE -> found.equals("FLOAT");
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                Matcher matcher = DECIMAL.matcher(found);
                yield matcher.matches()
                        && Integer.parseInt(matcher.group(1)) <= decimal.precision()
                        && Integer.parseInt(matcher.group(2)) == decimal.scale();
            }
            default -> false;
        };
    }

    private static WeirException unreadable(Path file, String reason) {
        return new WeirException(
                ErrorCode.FILE_UNREADABLE, "Cannot read file " + file + ": " + reason);
    }
}
