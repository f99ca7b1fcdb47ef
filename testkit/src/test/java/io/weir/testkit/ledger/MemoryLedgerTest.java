package io.weir.testkit.ledger;

class MemoryLedgerTest extends PublishingContract {
    private static final LedgerBooks BOOKS = new MemoryBooks(1, SETTINGS);

    @Override
    protected LedgerBooks books() {
        return BOOKS;
    }
}
