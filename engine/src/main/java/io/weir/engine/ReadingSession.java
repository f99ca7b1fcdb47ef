package io.weir.engine;

import org.apache.arrow.memory.BufferAllocator;
import org.duckdb.DuckDBConnection;

import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;

/** A database for one reader, for as long as it reads. */
final class ReadingSession implements AutoCloseable {
    private final Semaphore readers;
    private final EmbeddedDatabase database;
    private final DuckDBConnection connection;
    private final MergeSession session;

    /**
     * Takes over a permit and the database.
     *
     * @param readers gets the permit back
     */
    ReadingSession(Semaphore readers, EmbeddedDatabase database, BufferAllocator allocator)
            throws SQLException {
        this.readers = readers;
        this.database = database;
        this.connection = database.connect();
        this.session = new MergeSession(connection, allocator);
    }

    MergeSession session() {
        return session;
    }

    @Override
    public void close() {
        try (database;
                connection) {
            readers.release();
        } catch (SQLException | IOException e) {
            throw DuckdbErrors.engine(e, "close a reader");
        }
    }
}
