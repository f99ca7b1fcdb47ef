package io.weir.engine;

import org.apache.arrow.memory.BufferAllocator;
import org.duckdb.DuckDBConnection;

import java.io.IOException;
import java.sql.SQLException;

/** A database for one reader, for as long as it reads. */
final class ReadingSession implements AutoCloseable {
    private final Runnable release;
    private final EmbeddedDatabase database;
    private final DuckDBConnection connection;
    private final MergeSession session;

    /**
     * Takes over memory of the engine and the database.
     *
     * @param release gives the memory back
     */
    ReadingSession(Runnable release, EmbeddedDatabase database, BufferAllocator allocator)
            throws SQLException {
        this.release = release;
        this.database = database;
        this.connection = database.connect();
        this.session = new MergeSession(connection, allocator);
    }

    MergeSession session() {
        return session;
    }

    @Override
    public void close() {
        try (database) {
            connection.close();
        } catch (SQLException | IOException e) {
            throw DuckdbErrors.engine(e, "close a reader");
        } finally {
            release.run();
        }
    }
}
