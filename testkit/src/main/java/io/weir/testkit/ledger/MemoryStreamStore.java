package io.weir.testkit.ledger;

import io.weir.core.run.StreamState;
import io.weir.core.run.StreamTransaction;
import io.weir.ledger.process.StreamStore;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of open transactions of streaming connections in memory. */
public class MemoryStreamStore implements StreamStore {
    private final MemoryTables tables;

    public MemoryStreamStore(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public void put(StreamTransaction row) {
        tables.checks.require(
                "stream_transaction_counts_are_possible",
                row.records() >= 0 && row.timeout().toMillis() > 0);
        tables.checks.require(
                "stream_transaction_aborted_has_reason",
                (row.state() == StreamState.ABORTED) == (row.reason() != null));
        tables.streams.put(row.id(), row);
    }

    @Override
    public Optional<StreamTransaction> lock(UUID id) {
        return tables.streams.get(id);
    }

    @Override
    public void remove(UUID id) {
        tables.streams.remove(id);
    }

    @Override
    public int removeEndedBefore(Instant time, int most) {
        List<StreamTransaction> over =
                tables.streams.where(row -> row.leaseUntil().isBefore(time)).stream()
                        .sorted(Comparator.comparing(StreamTransaction::leaseUntil))
                        .limit(most)
                        .toList();
        over.forEach(row -> tables.streams.remove(row.id()));
        return over.size();
    }

    @Override
    public List<StreamTransaction> all() {
        return tables.streams.all().stream()
                .sorted(Comparator.comparing(StreamTransaction::begunAt)
                        .thenComparing(StreamTransaction::id, MemoryTables.BY_ID))
                .toList();
    }
}
