package io.weir.engine;

import org.duckdb.DuckDBConnection;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Databases between one use and the next: to open one takes longer than many a use of it. Only a
 * database whose use went well is kept, because DuckDB gives up a whole database when it stumbles
 * over a damaged file. Thread-safe.
 */
final class IdleDatabases implements AutoCloseable {
    private static final int IDLE_MAX = 4;

    private final SpillDirectory spill;
    private final Deque<EmbeddedDatabase> idle = new ArrayDeque<>();

    IdleDatabases(SpillDirectory spill) {
        this.spill = spill;
    }

    /** What is done with a database, through one connection of it; its temporary tables go. */
    @FunctionalInterface
    interface Use<T> {
        T of(EmbeddedDatabase database, DuckDBConnection connection)
                throws SQLException, IOException;
    }

    /** Does it with a database that nobody else uses meanwhile. */
    <T> T use(MergeShare share, Use<T> use) throws SQLException, IOException {
        EmbeddedDatabase database = take(share);
        boolean well = false;
        try {
            T result;
            try (DuckDBConnection connection = database.connect()) {
                result = use.of(database, connection);
            }
            well = true;
            return result;
        } finally {
            if (!well || !keep(database)) {
                database.close();
            }
        }
    }

    private EmbeddedDatabase take(MergeShare share) throws SQLException, IOException {
        EmbeddedDatabase kept;
        synchronized (idle) {
            kept = idle.poll();
        }
        if (kept == null) {
            return EmbeddedDatabase.forFiles(
                    share.memoryBytes(), share.threads(), spill.subdirectory());
        }
        try {
            kept.limit(share.memoryBytes(), share.threads());
            return kept;
        } catch (SQLException e) {
            kept.close();
            throw e;
        }
    }

    private boolean keep(EmbeddedDatabase database) {
        synchronized (idle) {
            return idle.size() < IDLE_MAX && idle.offer(database);
        }
    }

    @Override
    public void close() throws SQLException, IOException {
        synchronized (idle) {
            for (EmbeddedDatabase database : idle) {
                database.close();
            }
            idle.clear();
        }
    }
}
