package io.weir.engine;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.duckdb.DuckDBConnection;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Counts rows beyond the first of each key. The engine groups in memory and spills when there are
 * more keys than fit.
 */
final class DuplicateKeys {
    private final EmbeddedDatabase database;
    private final RowSchema schema;

    DuplicateKeys(EmbeddedDatabase database, RowSchema schema) {
        this.database = database;
        this.schema = schema;
    }

    /** Zero for a table without a key: equal rows may repeat there. */
    long count(List<Path> files) {
        if (schema.key().isEmpty() || files.isEmpty()) {
            return 0;
        }
        List<Column> key = schema.key().stream().map(schema::column).toList();
        String names = key.stream().map(DuckdbSql::scanName).collect(Collectors.joining(", "));
        String sql = """
                select coalesce(sum(copies - 1), 0)::bigint
                from (select count(*) as copies from %s group by %s having count(*) > 1)
                """.formatted(DuckdbSql.scan(DuckdbSql.patterns(files), key), names);
        try (DuckDBConnection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            if (!result.next()) {
                throw new SQLException("The aggregate returned no row");
            }
            return result.getLong(1);
        } catch (SQLException e) {
            throw DuckdbErrors.scan(e, "count duplicate keys in " + files.size() + " files");
        }
    }
}
