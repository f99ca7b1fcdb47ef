package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Type;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Describes a file from its footer alone. The footer has figures per row group and {@link
 * ParquetWriter} got those of the whole file, so they are put together here: bounds by the order
 * and the text form of DuckDB's own types. A row group that has values but no bound (it holds NaN,
 * or a text that cannot be shortened) leaves the column without that bound.
 *
 * <p>Two descriptions differ from those of the writer, and hold as well: a row group of NULLs alone
 * takes no bounds away, although DuckDB then tells the writer none; and where an infinity is the
 * least or the greatest value, the bound is the infinity of that side.
 */
final class FileDescription {
    /** DuckDB shows no bound that is infinite, only that there is one. */
    private static final String COLUMN_CHUNKS = """
            with field as (
                select name, field_id from parquet_schema(%1$s) where field_id is not null
            ), part as materialized (
                select f.field_id as id, m.num_values as vals, m.stats_null_count as nulls,
                    m.total_compressed_size as size,
                    coalesce(m.stats_min_value, case when m.type in ('FLOAT', 'DOUBLE')
                        and m.min_is_exact then '-inf' end) as lo,
                    coalesce(m.stats_max_value, case when m.type in ('FLOAT', 'DOUBLE')
                        and m.max_is_exact then 'inf' end) as hi,
                    coalesce(m.num_values = m.stats_null_count, false) as vacant
                from parquet_metadata(%1$s) m join field f on f.name = m.path_in_schema
            )
            """;

    /** Values of a file may be of a narrower type than the column; their text is of the file's. */
    private static final String OF_ONE_TYPE = """
            select id, sum(size)::bigint, sum(vals)::bigint,
                case when count(nulls) = count(*) then sum(nulls)::bigint end,
                case when bool_and(vacant or lo is not null) then %1$s end,
                case when bool_and(vacant or hi is not null) then %2$s end
            from part where id in (%3$s) group by id
            """;

    private final DuckDBConnection connection;
    private final Path file;
    private final Map<Integer, Column> columns = new TreeMap<>();
    private final Map<Integer, Long> sizes = new HashMap<>();
    private final Map<Integer, Long> values = new HashMap<>();
    private final Map<Integer, Long> nulls = new HashMap<>();
    private final Map<Integer, ByteBuffer> lower = new HashMap<>();
    private final Map<Integer, ByteBuffer> upper = new HashMap<>();

    private FileDescription(DuckDBConnection connection, Path file, RowSchema schema) {
        this.connection = connection;
        this.file = file;
        schema.columns().forEach(column -> columns.put(column.fieldId(), column));
    }

    /**
     * What {@link ParquetWriter#write} returned for the file.
     *
     * @throws WeirException FILE_UNREADABLE
     */
    static WrittenFile of(DuckDBConnection connection, Path file, RowSchema schema) {
        return new FileDescription(connection, file, schema).describe();
    }

    private WrittenFile describe() {
        ParquetLayout layout = ParquetLayout.of(connection, file, List.copyOf(columns.values()));
        if (layout.rows() == 0) {
            throw unreadable("it holds no rows");
        }
        try (Statement statement = connection.createStatement()) {
            Map<Integer, String> fields = ParquetLayout.fields(connection, file);
            fields.keySet().retainAll(columns.keySet());
            addAll(layout.rows(), statement, fields);
            if (!values.keySet().equals(fields.keySet())) {
                throw unreadable("its footer contradicts itself (fields=" + fields.keySet()
                        + ", with figures=" + values.keySet() + ")");
            }
            return new WrittenFile(
                    file,
                    layout.rows(),
                    bytes(statement),
                    sizes,
                    values,
                    nulls,
                    lower,
                    upper,
                    layout.rowGroups().stream()
                            .map(ParquetLayout.RowGroup::offset)
                            .toList());
        } catch (SQLException e) {
            throw DuckdbErrors.read(e, file);
        }
    }

    private void addAll(long rows, Statement statement, Map<Integer, String> fields)
            throws SQLException {
        if (fields.isEmpty()) {
            return;
        }
        try (ResultSet result = statement.executeQuery(query(fields))) {
            while (result.next()) {
                add(rows, result);
            }
        }
    }

    private String query(Map<Integer, String> fields) {
        Map<String, List<Integer>> byType = new TreeMap<>();
        fields.forEach((id, type) -> {
            Type wanted = Objects.requireNonNull(columns.get(id)).type();
            String cast = "::" + type + "::" + DuckdbSql.type(wanted);
            byType.computeIfAbsent(cast, key -> new ArrayList<>()).add(id);
        });
        List<String> parts = new ArrayList<>();
        byType.forEach((cast, ids) -> parts.add(OF_ONE_TYPE.formatted(
                text("min(lo" + cast + ")", cast),
                text("max(hi" + cast + ")", cast),
                String.join(", ", ids.stream().map(String::valueOf).toList()))));
        return COLUMN_CHUNKS.formatted(DuckdbSql.pattern(file)) + String.join("union all ", parts);
    }

    private static String text(String bound, String cast) {
        return cast.endsWith("::BLOB") ? "hex(" + bound + ")" : bound + "::varchar";
    }

    private void add(long rows, ResultSet result) throws SQLException {
        int id = result.getInt(1);
        Column column = Objects.requireNonNull(columns.get(id));
        sizes.put(id, result.getLong(2));
        values.put(id, result.getLong(3));
        if (result.getLong(3) != rows) {
            throw contradicts(column, "values", result.getLong(3), rows);
        }
        long nullCount = result.getLong(4);
        if (!result.wasNull()) {
            if (nullCount < 0 || nullCount > (column.required() ? 0 : rows)) {
                throw contradicts(column, "nulls", nullCount, rows);
            }
            nulls.put(id, nullCount);
        }
        addBounds(column, result.getString(5), result.getString(6));
    }

    private void addBounds(Column column, @Nullable String least, @Nullable String greatest) {
        Map<String, String> statistics = new HashMap<>();
        if (least != null) {
            statistics.put("min", least);
        }
        if (greatest != null) {
            statistics.put("max", greatest);
        }
        Type type = column.type();
        @Nullable ByteBuffer above = ColumnBounds.upper(type, statistics);
        @Nullable ByteBuffer below = ColumnBounds.lower(type, statistics);
        if (below != null) {
            lower.put(column.fieldId(), below);
        }
        if (above != null) {
            upper.put(column.fieldId(), above);
        }
    }

    private long bytes(Statement statement) throws SQLException {
        String sql = "select file_size_bytes from parquet_file_metadata(" + DuckdbSql.pattern(file)
                + ")";
        try (ResultSet result = statement.executeQuery(sql)) {
            if (!result.next()) {
                throw unreadable("it has no footer");
            }
            return result.getLong(1);
        }
    }

    private WeirException contradicts(Column column, String figure, long found, long rows) {
        return unreadable("its footer contradicts itself (column=" + column.name() + ", " + figure
                + "=" + found + ", rows=" + rows + ")");
    }

    private WeirException unreadable(String reason) {
        return new WeirException(
                ErrorCode.FILE_UNREADABLE, "Cannot read file " + file + ": " + reason);
    }
}
