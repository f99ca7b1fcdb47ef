package io.weir.testkit.ledger;

import org.junit.jupiter.api.AfterAll;

import java.nio.file.Path;

class PostgresLedgerTest extends PublishingContract {
    private static final LedgerBooks BOOKS =
            new PostgresBooks(Path.of("target", "postgres"), SETTINGS);

    @Override
    protected LedgerBooks books() {
        return BOOKS;
    }

    @AfterAll
    static void close() {
        BOOKS.close();
    }
}
