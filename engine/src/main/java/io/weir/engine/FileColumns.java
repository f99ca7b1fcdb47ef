package io.weir.engine;

import io.weir.core.row.Column;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Scans files under the names that they give to field ids themselves. A scan that is told the ids
 * looks every value up in a mapping: measured, it takes ten times as long for one column.
 */
final class FileColumns {
    private final Map<String, Map<Integer, Field>> byFile = new HashMap<>();

    private record Field(String name, String type) {}

    /** Reads the footers of files. */
    static FileColumns of(MergeSession session, List<Path> files) throws SQLException {
        FileColumns columns = new FileColumns();
        if (files.isEmpty()) {
            return columns;
        }
        String sql = "SELECT file_name, field_id, name, duckdb_type FROM parquet_schema("
                + DuckdbSql.patterns(files) + ") WHERE field_id IS NOT NULL";
        for (List<@Nullable Object> row : session.rows(sql)) {
            columns.byFile
                    .computeIfAbsent(String.valueOf(row.get(0)), file -> new HashMap<>())
                    .put(
                            (int) MergeChanges.number(row.get(1)),
                            new Field(String.valueOf(row.get(2)), String.valueOf(row.get(3))));
        }
        return columns;
    }

    /**
     * A query over one file: its columns are called {@link DuckdbSql#scanName}, and {@code pos}.
     */
    String scan(Path file, List<Column> columns) {
        return select(file, columns) + " FROM " + source(file, List.of(file), columns);
    }

    /**
     * The same over files that give all columns the same names, and {@code file}, the number of
     * the file.
     *
     * @param paths up to the {@link #end} of the first one
     * @param number of the first one; those behind it have the next ones
     */
    String scan(List<Path> paths, int number, List<Column> columns) {
        Path first = paths.get(0);
        return select(first, columns) + ", file_index::BIGINT + " + number + " AS file FROM "
                + source(first, paths, columns);
    }

    /**
     * How far files can be scanned together.
     *
     * @param from index of the first one
     * @param most so many files at most
     * @return index behind the last one
     */
    int end(List<Path> files, int from, int most) {
        Map<Integer, Field> fields = fields(files.get(from));
        int to = from + 1;
        while (to < files.size() && to - from < most && fields(files.get(to)).equals(fields)) {
            to++;
        }
        return to;
    }

    private String select(Path file, List<Column> columns) {
        if (!isNamed(file)) {
            return "SELECT *, file_row_number AS pos";
        }
        Map<Integer, Field> fields = fields(file);
        List<String> selected = new ArrayList<>();
        for (Column column : columns) {
            Field field = fields.get(column.fieldId());
            String type = DuckdbSql.type(column.type());
            String value = field == null
                    ? DuckdbSql.initialDefault(column) + "::" + type
                    : DuckdbSql.identifier(field.name())
                            + (field.type().equals(type) ? "" : "::" + type);
            selected.add(value + " AS " + DuckdbSql.scanName(column));
        }
        return "SELECT " + String.join(", ", selected) + ", file_row_number AS pos";
    }

    private String source(Path like, List<Path> files, List<Column> columns) {
        String patterns = DuckdbSql.patterns(files);
        return isNamed(like) ? "read_parquet(" + patterns + ")" : DuckdbSql.scan(patterns, columns);
    }

    private Map<Integer, Field> fields(Path file) {
        return byFile.getOrDefault(file.toAbsolutePath().toString(), Map.of());
    }

    /** Whether columns can be found by their names. */
    private boolean isNamed(Path file) {
        Map<Integer, Field> fields = fields(file);
        return !fields.isEmpty() && !hasTwins(fields);
    }

    /** Names that differ only in case are one name to the engine. */
    private static boolean hasTwins(Map<Integer, Field> fields) {
        Set<String> names = new HashSet<>();
        return fields.values().stream()
                .anyMatch(field -> !names.add(field.name().toLowerCase(Locale.ROOT)));
    }
}
