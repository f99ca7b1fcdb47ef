package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testkit.ledger.LedgerBooks;
import io.weir.testkit.ledger.PublishingContract;
import io.weir.testkit.proxy.Fault;

import org.junit.jupiter.api.AfterAll;

/** The same when every call that may be repeated arrives twice: no effect is doubled. */
class HttpLedgerDuplicateTest extends PublishingContract {
    private static final HttpBooks BOOKS = new HttpBooks(SETTINGS, Fault.DUPLICATE);

    @Override
    protected LedgerBooks books() {
        return BOOKS;
    }

    @AfterAll
    static void close() {
        assertThat(BOOKS.faulty()).isGreaterThan(500);
        BOOKS.close();
    }
}
