package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.database.Database;

import org.jspecify.annotations.Nullable;

/** The books in a PostgreSQL database, schema {@code weir}. Safe for use by many threads. */
public final class PostgresLedger extends BookLedger implements AutoCloseable {
    private final Database database;

    private PostgresLedger(Database database, LedgerSettings settings) {
        super(database.transactions(), settings);
        this.database = database;
    }

    /**
     * Opens the books and brings their schema up to date. Any number of processes may do so at
     * once.
     *
     * @param password null if the server asks for none
     * @throws WeirException {@link ErrorCode#LEDGER_UNREACHABLE}; {@link ErrorCode#LEDGER_INVALID}
     *     for a server before PostgreSQL 13, a refused user, or a schema of another version
     */
    public static PostgresLedger open(String jdbcUrl, String user, @Nullable String password) {
        return open(jdbcUrl, user, password, LedgerSettings.DEFAULTS);
    }

    /** The same with other settings. */
    public static PostgresLedger open(
            String jdbcUrl, String user, @Nullable String password, LedgerSettings settings) {
        return new PostgresLedger(
                Database.open(jdbcUrl, user, password, settings.connectionsMax()), settings);
    }

    @Override
    public void close() {
        database.close();
    }
}
