package io.weir.ledger.database;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Transactions;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Transactions of PostgreSQL. */
final class PostgresTransactions implements Transactions {
    /** The first one included. */
    private static final int ATTEMPTS_MAX = 3;

    private static final long PAUSE_NANOS = 20_000_000;

    private final Jdbi jdbi;

    PostgresTransactions(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    @Override
    public <T> T run(String action, Function<Books, T> work) {
        return inTransaction(
                action,
                TransactionIsolationLevel.READ_COMMITTED,
                handle -> work.apply(books(handle)));
    }

    @Override
    public <T> T read(String action, Function<Books, T> work) {
        return inTransaction(
                action,
                TransactionIsolationLevel.REPEATABLE_READ,
                handle -> work.apply(books(handle)));
    }

    private static Books books(Handle handle) {
        return new Books(new PostgresStores(handle));
    }

    <T> T inTransaction(String action, TransactionIsolationLevel level, Function<Handle, T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return jdbi.inTransaction(level, work::apply);
            } catch (JdbiException e) {
                Optional<SQLException> cause = PostgresErrors.find(e);
                if (cause.isEmpty()) {
                    throw new WeirException(
                            ErrorCode.LEDGER_INVARIANT,
                            "Cannot " + action + ": " + e.getMessage(),
                            e);
                }
                if (attempt == ATTEMPTS_MAX || !PostgresErrors.isRetried(cause.get())) {
                    throw PostgresErrors.translate(action, cause.get());
                }
                LockSupport.parkNanos(PAUSE_NANOS * attempt);
            }
        }
    }
}
