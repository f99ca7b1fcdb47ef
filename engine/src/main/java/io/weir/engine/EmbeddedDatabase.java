package io.weir.engine;

import org.duckdb.DuckDBConnection;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** One DuckDB in this process, with the settings that all uses share. */
final class EmbeddedDatabase implements AutoCloseable {
    private final DuckDBConnection root;
    private final Path spill;

    private EmbeddedDatabase(DuckDBConnection root, Path spill) {
        this.root = root;
        this.spill = spill;
    }

    /**
     * A database for files that we write and measure ourselves.
     *
     * <p>The order of rows is given up, because only then are row groups bounded in bytes. Files
     * are read from the file system each time: a cache could hide that a file changed on disk.
     *
     * @param spill directory of this database alone; removed when it closes
     */
    static EmbeddedDatabase forFiles(long memoryBytes, int threads, Path spill)
            throws SQLException {
        Properties properties = properties(memoryBytes, threads, spill);
        properties.setProperty("preserve_insertion_order", "false");
        return open(properties, spill);
    }

    /** A database for one query; it keeps the order that the query asks for. */
    static EmbeddedDatabase forQuery(long memoryBytes, int threads, Path spill)
            throws SQLException {
        return open(properties(memoryBytes, threads, spill), spill);
    }

    /** Other limits from now on. */
    void limit(long memoryBytes, int threads) throws SQLException {
        try (Statement statement = root.createStatement()) {
            statement.execute("SET GLOBAL memory_limit = '" + memoryBytes + "B'");
            statement.execute("SET GLOBAL threads = " + threads);
        }
    }

    /** A connection for one thread; the caller closes it. */
    DuckDBConnection connect() throws SQLException {
        return root.duplicate();
    }

    @Override
    public void close() throws SQLException, IOException {
        root.close();
        SpillDirectory.deleteTree(spill);
    }

    private static Properties properties(long memoryBytes, int threads, Path spill) {
        Properties properties = new Properties();
        properties.setProperty("autoinstall_known_extensions", "false");
        properties.setProperty("autoload_known_extensions", "false");
        properties.setProperty("enable_external_file_cache", "false");
        properties.setProperty("memory_limit", memoryBytes + "B");
        properties.setProperty("threads", Integer.toString(threads));
        properties.setProperty("temp_directory", spill.toString());
        return properties;
    }

    private static EmbeddedDatabase open(Properties properties, Path spill) throws SQLException {
        DuckDBConnection connection = DriverManager.getConnection("jdbc:duckdb:", properties)
                .unwrap(DuckDBConnection.class);
        try (Statement statement = connection.createStatement()) {
            // A setting of an extension, unknown while the database opens.
            statement.execute("SET GLOBAL TimeZone = 'UTC'");
            return new EmbeddedDatabase(connection, spill);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }
}
