package io.weir.engine;

import io.weir.core.row.RowSchema;

import org.apache.arrow.memory.RootAllocator;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** An engine in a directory of the test, and a plain DuckDB to look at what it wrote. */
final class EngineFixture implements AutoCloseable {
    static final long MEMORY_BYTES = 512L << 20;

    final Engine engine;
    final RootAllocator allocator = new RootAllocator();
    private final DuckDBConnection duckdb;

    EngineFixture(Path temporary) {
        this(new EngineConfig(MEMORY_BYTES, 2, temporary));
    }

    EngineFixture(EngineConfig config) {
        this.engine = Engine.open(config);
        try {
            this.duckdb =
                    DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        execute("set timezone = 'UTC'");
    }

    WrittenFile write(RowSchema schema, List<List<@Nullable Object>> rows, Path file) {
        try (RowBatches batches = new RowBatches(allocator, schema, rows, 1_000)) {
            return engine.write(batches, schema, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void execute(String sql) {
        try (Statement statement = duckdb.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The rows of a query, each as its values joined by a bar. */
    List<String> lines(String sql) {
        try (Statement statement = duckdb.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> lines = new ArrayList<>();
            while (result.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    values.add(String.valueOf(result.getString(i)));
                }
                lines.add(String.join("|", values));
            }
            return lines;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        try {
            duckdb.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        engine.close();
        allocator.close();
    }
}
