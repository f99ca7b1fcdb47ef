package io.weir.server;

import io.weir.testkit.ledger.LedgerBooks;
import io.weir.testkit.ledger.PublishingContract;

import org.junit.jupiter.api.AfterAll;

/** The contract of the ledger, kept over HTTP by real servers over a real PostgreSQL. */
class HttpLedgerTest extends PublishingContract {
    private static final LedgerBooks BOOKS = new HttpBooks(SETTINGS, null);

    @Override
    protected LedgerBooks books() {
        return BOOKS;
    }

    @AfterAll
    static void close() {
        BOOKS.close();
    }
}
