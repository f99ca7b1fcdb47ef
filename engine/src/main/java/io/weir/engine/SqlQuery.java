package io.weir.engine;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.RowPositions;

import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs one read-only query in a database that it has for itself: it sees the files of the given
 * tables and no other file, and afterwards the database is good for nothing else.
 */
final class SqlQuery {
    private static final Pattern EXPLAIN =
            Pattern.compile("^\\s*explain\\s+(?:analyze\\s+)?", Pattern.CASE_INSENSITIVE);
    // Also matches inside of a text at the end, so what is left must be tried.
    private static final Pattern TAIL =
            Pattern.compile(";(?:[;\\s]|--[^\\n]*|/\\*(?:[^*]|\\*(?!/))*\\*/)*$");
    private static final String READ_ONLY =
            "Cannot run the query: only one SELECT, WITH, VALUES, SHOW, DESCRIBE, SUMMARIZE or"
                    + " EXPLAIN is allowed";

    /** Schema for what queries leave out. */
    private static final String DELETED = "weir_deleted";

    private static final int POSITIONS_AT_ONCE = 10_000;

    private final DuckDBConnection connection;
    private int deletions;

    private SqlQuery(DuckDBConnection connection) {
        this.connection = connection;
    }

    static QueryResult run(
            EmbeddedDatabase database, String sql, Map<String, QueryTable> tables, int rowsMax) {
        try (DuckDBConnection connection = database.connect()) {
            SqlQuery query = new SqlQuery(connection);
            query.createViews(tables);
            query.lockDown(tables);
            return query.run(sql, rowsMax);
        } catch (SQLException e) {
            throw DuckdbErrors.query(e);
        }
    }

    private void createViews(Map<String, QueryTable> tables) throws SQLException {
        for (Map.Entry<String, QueryTable> entry : tables.entrySet()) {
            String name = entry.getKey();
            int dot = name.lastIndexOf('.');
            String view = DuckdbSql.identifier(name.substring(dot + 1));
            if (dot > 0) {
                String namespace = DuckdbSql.identifier(name.substring(0, dot));
                execute("CREATE SCHEMA IF NOT EXISTS " + namespace);
                view = namespace + "." + view;
            }
            execute("CREATE VIEW " + view + " AS " + rows(entry.getValue()));
        }
    }

    private String rows(QueryTable table) throws SQLException {
        List<Column> columns = table.schema().columns();
        if (!table.files().isEmpty()) {
            String scan = DuckdbSql.namedScan(table.paths(), columns);
            String deleted = deleted(table);
            return deleted.isEmpty()
                    ? "FROM " + scan
                    : columns.stream()
                                    .map(column -> "s." + DuckdbSql.identifier(column.name()))
                                    .collect(Collectors.joining(
                                            ", ", "SELECT ", " FROM " + scan + " s"))
                            + " ANTI JOIN " + deleted
                            + " d ON s.file_index = d.file AND s.file_row_number = d.pos";
        }
        return columns.stream()
                .map(column -> "NULL::" + DuckdbSql.type(column.type()) + " AS "
                        + DuckdbSql.identifier(column.name()))
                .collect(Collectors.joining(", ", "SELECT ", " WHERE false"));
    }

    /** A table of the rows that are no longer there; an empty name if there are none. */
    private String deleted(QueryTable table) throws SQLException {
        String name = "";
        for (int i = 0; i < table.files().size(); i++) {
            RowPositions positions = table.files().get(i).deleted();
            if (!positions.isEmpty() && name.isEmpty()) {
                name = DELETED + ".t" + deletions++;
                execute("CREATE SCHEMA IF NOT EXISTS " + DELETED);
                execute("CREATE TABLE " + name + " (file BIGINT, pos BIGINT)");
            }
            for (int from = 0; from < positions.size(); from += POSITIONS_AT_ONCE) {
                StringBuilder list = new StringBuilder("[");
                int to = Math.min(positions.size(), from + POSITIONS_AT_ONCE);
                for (int rank = from; rank < to; rank++) {
                    list.append(rank == from ? "" : ",").append(positions.get(rank));
                }
                execute("INSERT INTO " + name + " SELECT " + i + ", unnest(" + list
                        + "]::BIGINT[])");
            }
        }
        return name;
    }

    private void lockDown(Map<String, QueryTable> tables) throws SQLException {
        // A scan asks for its pattern first and then for the file that the pattern stands for.
        String files = tables.values().stream()
                .flatMap(table -> table.paths().stream())
                .flatMap(file -> Stream.of(DuckdbSql.path(file), DuckdbSql.pattern(file)))
                .distinct()
                .collect(Collectors.joining(", ", "[", "]"));
        execute("SET allowed_paths = " + files);
        execute("SET enable_external_access = false");
        execute("SET lock_configuration = true");
    }

    private QueryResult run(String sql, int rowsMax) throws SQLException {
        String text = withoutTail(sql);
        Matcher explain = EXPLAIN.matcher(text);
        if (explain.find()) {
            requireReadOnly(text.substring(explain.end()));
            return read(text, List.of(), List.of(), rowsMax);
        }
        requireReadOnly(text);
        List<String> columns = new ArrayList<>();
        List<String> types = new ArrayList<>();
        describe(text, columns, types);
        // The engine's own casts give the text; the line break ends a comment at the end.
        String asText = "SELECT columns(*)::VARCHAR FROM (" + text + "\n) LIMIT " + (rowsMax + 1);
        return read(asText, columns, types, rowsMax);
    }

    private String withoutTail(String sql) throws SQLException {
        Matcher tail = TAIL.matcher(sql);
        if (!tail.find()) {
            return sql;
        }
        String text = sql.substring(0, tail.start());
        return parse(text).failed() ? sql : text;
    }

    private void requireReadOnly(String text) throws SQLException {
        Parsed parsed = parse(text);
        if (parsed.failed() && "parser".equals(parsed.errorType())) {
            throw new WeirException(
                    ErrorCode.QUERY_INVALID, "Cannot run the query: " + parsed.errorMessage());
        }
        if (parsed.failed() || parsed.statements() != 1) {
            throw new WeirException(ErrorCode.QUERY_INVALID, READ_ONLY);
        }
    }

    /** The parser of the engine decides what is a query: it fails for any other statement. */
    private Parsed parse(String text) throws SQLException {
        String sql = """
                select plan->>'error', plan->>'error_type', plan->>'error_message',
                    coalesce(json_array_length(plan->'statements'), 0)
                from (select json_serialize_sql(?::varchar) as plan)
                """;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, text);
            try (ResultSet result = statement.executeQuery()) {
                if (!result.next()) {
                    throw new SQLException("The parser returned no row");
                }
                return new Parsed(
                        "true".equals(result.getString(1)),
                        result.getString(2),
                        result.getString(3),
                        result.getInt(4));
            }
        }
    }

    private void describe(String text, List<String> columns, List<String> types)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            ResultSetMetaData metaData = statement.getMetaData();
            for (int i = 1; i <= metaData.getColumnCount(); i++) {
                columns.add(metaData.getColumnLabel(i));
                types.add(metaData.getColumnTypeName(i));
            }
        }
    }

    private QueryResult read(String text, List<String> columns, List<String> types, int rowsMax)
            throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(text)) {
            ResultSetMetaData metaData = result.getMetaData();
            int width = metaData.getColumnCount();
            List<String> names = new ArrayList<>(columns);
            List<String> typeNames = new ArrayList<>(types);
            for (int i = names.size() + 1; i <= width; i++) {
                names.add(metaData.getColumnLabel(i));
                typeNames.add(metaData.getColumnTypeName(i));
            }
            List<List<@Nullable String>> rows = new ArrayList<>();
            while (result.next()) {
                if (rows.size() == rowsMax) {
                    return new QueryResult(names, typeNames, rows, true);
                }
                List<@Nullable String> row = new ArrayList<>(width);
                for (int i = 1; i <= width; i++) {
                    row.add(result.getString(i));
                }
                rows.add(row);
            }
            return new QueryResult(names, typeNames, rows, false);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private record Parsed(
            boolean failed,
            @Nullable String errorType,
            @Nullable String errorMessage,
            int statements) {}
}
