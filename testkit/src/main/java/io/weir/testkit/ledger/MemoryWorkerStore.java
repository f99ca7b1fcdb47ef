package io.weir.testkit.ledger;

import io.weir.core.run.WorkerSign;
import io.weir.ledger.process.WorkerStore;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** The table of worker processes in memory. */
public class MemoryWorkerStore implements WorkerStore {
    private final MemoryTables tables;

    public MemoryWorkerStore(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public void put(WorkerSign sign) {
        tables.checks.require("worker_counts_are_possible", sign.slots() >= 0 && sign.busy() >= 0);
        WorkerSign row = tables.workers
                .get(sign.id())
                .map(known -> new WorkerSign(
                        known.id(),
                        known.name(),
                        sign.sources(),
                        sign.slots(),
                        sign.busy(),
                        known.startedAt(),
                        sign.seenAt()))
                .orElse(sign);
        tables.workers.put(sign.id(), row);
    }

    @Override
    public int removeSeenBefore(Instant time, int most) {
        List<WorkerSign> over = tables.workers.where(sign -> sign.seenAt().isBefore(time)).stream()
                .sorted(Comparator.comparing(WorkerSign::seenAt))
                .limit(most)
                .toList();
        over.forEach(sign -> tables.workers.remove(sign.id()));
        return over.size();
    }

    @Override
    public List<WorkerSign> since(Instant time) {
        return tables.workers.where(sign -> !sign.seenAt().isBefore(time)).stream()
                .sorted(Comparator.comparing(WorkerSign::seenAt)
                        .reversed()
                        .thenComparing(WorkerSign::id, MemoryTables.BY_ID))
                .toList();
    }
}
