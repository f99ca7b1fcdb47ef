package io.weir.testkit.simulation;

import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Outbox;
import io.weir.ledger.BookLedger;
import io.weir.testkit.ledger.MemoryTransactions;

/** The real commands over the books in memory, as one process composes them. */
final class SimLedger {
    private final Ledger ledger;
    private final Outbox outbox;

    private SimLedger(Ledger ledger, Outbox outbox) {
        this.ledger = ledger;
        this.outbox = outbox;
    }

    /** A ledger of its own for each start of a process: what it remembers ends with it. */
    static SimLedger open(World world) {
        Others others = new Others(world);
        MemoryTransactions transactions =
                new MemoryTransactions(world.tables, () -> new WrongStores(world, others), others);
        BookLedger books = new BookLedger(
                transactions, SeededBug.settings(world.settings.bug(), world.settings.ledger()));
        return new SimLedger(WrongLedger.around(world, books), books);
    }

    Ledger ledger() {
        return ledger;
    }

    Outbox outbox() {
        return outbox;
    }
}
