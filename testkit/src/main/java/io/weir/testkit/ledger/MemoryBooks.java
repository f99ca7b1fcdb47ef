package io.weir.testkit.ledger;

import io.weir.core.run.RunId;
import io.weir.ledger.BookLedger;
import io.weir.ledger.LedgerSettings;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** The commands of the ledger over books in memory, a clock that is moved and ids from a seed. */
public final class MemoryBooks implements LedgerBooks {
    private static final Instant START = Instant.parse("2026-11-29T00:00:00Z");

    private final VirtualClock clock = new VirtualClock(START);
    private final MemoryTables tables;
    private final BookLedger ledger;
    private final BookLedger other;

    public MemoryBooks(long seed, LedgerSettings settings) {
        Random random = new Random(seed);
        this.tables = new MemoryTables(Set.of());
        MemoryTransactions transactions = new MemoryTransactions(
                tables,
                () -> new MemoryStores(
                        tables,
                        clock,
                        () -> new UUID(random.nextLong(), random.nextLong()),
                        Interference.NONE),
                Interference.NONE);
        this.ledger = new BookLedger(transactions, settings);
        this.other = new BookLedger(transactions, settings);
    }

    @Override
    public BookLedger ledger() {
        return ledger;
    }

    @Override
    public BookLedger anotherProcess() {
        return other;
    }

    @Override
    public void pass(Duration time) {
        clock.advance(time);
    }

    @Override
    public Map<String, Map<String, String>> rows(RunId id) {
        Map<String, Map<String, String>> rows = new TreeMap<>();
        RowDocuments.of(tables, id)
                .forEach((name, row) -> rows.put(name, LedgerBooks.comparable(row)));
        return rows;
    }

    @Override
    public void close() {
        // Memory needs no end.
    }
}
