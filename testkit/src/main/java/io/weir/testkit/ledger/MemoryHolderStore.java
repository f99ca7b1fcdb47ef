package io.weir.testkit.ledger;

import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;
import io.weir.ledger.process.HolderStore;
import io.weir.ledger.run.RunRow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of snapshot holders in memory. */
public class MemoryHolderStore implements HolderStore {
    private final MemoryTables tables;

    public MemoryHolderStore(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public boolean put(SnapshotHolder holder) {
        tables.checks.require("snapshot_holder_of_run", tables.runs.has(holder.runId()));
        Optional<SnapshotHolder> before = tables.shelf(holder.runId()).holders.get(holder.id());
        SnapshotHolder row = before.map(known -> new SnapshotHolder(
                        known.runId(),
                        known.id(),
                        known.token(),
                        known.worker(),
                        holder.leaseUntil()))
                .orElse(holder);
        tables.shelf(holder.runId()).holders.put(holder.id(), row);
        return before.isEmpty();
    }

    @Override
    public boolean remove(RunId runId, UUID id) {
        return tables.shelf(runId).holders.remove(id);
    }

    @Override
    public int removeEnded(Instant now, int most) {
        List<SnapshotHolder> over = new ArrayList<>();
        for (RunRow row : tables.runs.where(row -> row.run().state().isTerminal())) {
            over.addAll(tables.shelf(row.run().id())
                    .holders
                    .where(holder -> !now.isBefore(holder.leaseUntil())));
        }
        over.sort(Comparator.comparing(SnapshotHolder::leaseUntil));
        List<SnapshotHolder> removed = over.subList(0, Math.min(most, over.size()));
        removed.forEach(holder -> remove(holder.runId(), holder.id()));
        return removed.size();
    }

    @Override
    public List<SnapshotHolder> ofRun(RunId runId) {
        return tables.shelf(runId).holders.all().stream()
                .sorted(Comparator.comparing(SnapshotHolder::leaseUntil)
                        .reversed()
                        .thenComparing(SnapshotHolder::id, MemoryTables.BY_ID))
                .toList();
    }
}
