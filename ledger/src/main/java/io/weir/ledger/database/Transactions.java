package io.weir.ledger.database;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Runs work in one transaction, again if PostgreSQL asks for it. */
public final class Transactions {
    /** The first one included. */
    private static final int ATTEMPTS_MAX = 3;

    private static final long PAUSE_NANOS = 20_000_000;

    private final Jdbi jdbi;

    public Transactions(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /**
     * READ COMMITTED: every statement sees what was committed before it, so what is read after a
     * row lock is the truth as long as the lock is held.
     *
     * @param action for messages, such as {@code report chunks of run …}
     */
    public <T> T run(String action, Function<Handle, T> work) {
        return run(action, TransactionIsolationLevel.READ_COMMITTED, work);
    }

    /** All statements see one state of the books. */
    public <T> T read(String action, Function<Handle, T> work) {
        return run(action, TransactionIsolationLevel.REPEATABLE_READ, work);
    }

    private <T> T run(String action, TransactionIsolationLevel level, Function<Handle, T> work) {
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
