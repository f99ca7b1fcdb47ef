package io.weir.testkit.ledger;

import io.weir.ledger.books.Books;
import io.weir.ledger.books.Stores;
import io.weir.ledger.books.Transactions;

import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Transactions over books in memory, one after the other. A transaction that throws leaves nothing
 * behind; one that lost a race runs again, as the contract says.
 */
public final class MemoryTransactions implements Transactions {
    /** The first one included, as in PostgreSQL. */
    private static final int ATTEMPTS_MAX = 3;

    private final MemoryTables tables;
    private final Supplier<Stores> stores;
    private final Interference interference;

    /**
     * Makes transactions.
     *
     * @param stores made anew for each transaction, over the same tables
     */
    public MemoryTransactions(
            MemoryTables tables, Supplier<Stores> stores, Interference interference) {
        this.tables = tables;
        this.stores = stores;
        this.interference = interference;
    }

    @Override
    public <T> T run(String action, Function<Books, T> work) {
        interference.before(action);
        for (int attempt = 1; ; attempt++) {
            try {
                T answer = work.apply(new Books(stores.get()));
                if (attempt < ATTEMPTS_MAX && interference.isVictim(action)) {
                    tables.rollback();
                    continue;
                }
                if (interference.isForgotten()) {
                    tables.rollback();
                } else {
                    interference.committed(tables.commit());
                }
                return answer;
            } catch (ConstraintViolation e) {
                tables.rollback();
                if (attempt == ATTEMPTS_MAX || !e.isRetried()) {
                    throw e.translate(action);
                }
            } catch (RuntimeException e) {
                tables.rollback();
                throw e;
            }
        }
    }

    @Override
    public <T> T read(String action, Function<Books, T> work) {
        return run(action, work);
    }
}
