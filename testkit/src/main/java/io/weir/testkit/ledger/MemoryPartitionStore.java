package io.weir.testkit.ledger;

import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.partition.LockedPartition;
import io.weir.ledger.partition.PartitionCall;
import io.weir.ledger.partition.PartitionColumns;
import io.weir.ledger.partition.PartitionStore;
import io.weir.testkit.ledger.MemoryTables.Shelf;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** The table of partitions in memory. */
public class MemoryPartitionStore implements PartitionStore {
    protected final MemoryTables tables;
    private final Interference interference;

    public MemoryPartitionStore(MemoryTables tables, Interference interference) {
        this.tables = tables;
        this.interference = interference;
    }

    @Override
    public void insertAll(List<Partition> partitions) {
        for (Partition partition : partitions) {
            Shelf shelf = tables.shelf(partition.runId());
            tables.checks.require("partition_of_run", tables.runs.has(partition.runId()));
            tables.checks.require(
                    "partition_pk", find(partition.runId(), partition.id()).isEmpty());
            tables.checks.require(
                    "partition_ordinal_once", !shelf.partitions.has(partition.ordinal()));
            tables.checks.partition(partition);
            write(partition);
        }
    }

    @Override
    public Optional<RowChange> update(Partition before, Partition after) {
        if (isMoved(before)) {
            return Optional.empty();
        }
        tables.checks.partition(after);
        UUID token = after.token();
        tables.checks.require(
                "partition_token_once",
                token == null
                        || tables.shelf(after.runId())
                                .partitions
                                .where(other -> token.equals(other.token())
                                        && !other.id().equals(after.id()))
                                .isEmpty());
        write(after);
        return Optional.of(PartitionColumns.changed(before, after));
    }

    @Override
    public boolean renew(Partition partition) {
        if (isMoved(partition)) {
            return false;
        }
        tables.checks.partition(partition);
        // All that differs is the end of the lease and the progress.
        write(partition);
        return true;
    }

    @Override
    public Optional<Partition> lock(RunId runId, PartitionId id) {
        return find(runId, id);
    }

    @Override
    public List<LockedPartition> lockFree(Collection<PartitionCall> calls) {
        List<LockedPartition> free = new ArrayList<>();
        for (PartitionCall call : calls) {
            find(call.runId(), call.id())
                    .filter(partition -> !interference.isLocked())
                    .map(partition -> besides(partition, isMet(call)))
                    .ifPresent(free::add);
        }
        return free;
    }

    private boolean isMet(PartitionCall call) {
        return tables.shelf(call.runId()).chunks.all().stream()
                .map(ChunkRow::chunk)
                .filter(chunk -> chunk.partitionId().equals(call.id()))
                .filter(chunk -> chunk.epoch() == call.epoch())
                .anyMatch(chunk -> chunk.last() || call.indexes().contains(chunk.index()));
    }

    private LockedPartition besides(Partition partition, boolean met) {
        RunId runId = partition.runId();
        return new LockedPartition(
                partition,
                tables.runs.get(runId).orElseThrow().run().dataPath(),
                new MemoryHolderStore(tables).ofRun(runId).stream().findFirst().orElse(null),
                met);
    }

    @Override
    public List<Partition> lockByToken(RunId runId, Collection<UUID> tokens) {
        return tables.shelf(runId)
                .partitions
                .where(partition ->
                        partition.token() != null && tokens.contains(partition.token()));
    }

    @Override
    public List<LockedPartition> lockNext(RunId runId, int most) {
        List<LockedPartition> next = new ArrayList<>();
        for (Partition partition : tables.shelf(runId).partitions.all()) {
            if (next.size() < most && partition.state().isClaimable() && !interference.isLocked()) {
                next.add(besides(partition, false));
            }
        }
        return next;
    }

    @Override
    public List<Partition> lockOpen(RunId runId) {
        return tables.shelf(runId)
                .partitions
                .where(partition -> !partition.state().isTerminal());
    }

    @Override
    public List<Partition> ofRun(RunId runId) {
        return tables.partitionsOf(runId);
    }

    protected final void write(Partition partition) {
        tables.shelf(partition.runId()).partitions.put(partition.ordinal(), partition);
        tables.touched.add(partition.runId());
    }

    private boolean isMoved(Partition before) {
        return find(before.runId(), before.id())
                .filter(now -> now.version() == before.version() && now.state() == before.state())
                .isEmpty();
    }

    private Optional<Partition> find(RunId runId, PartitionId id) {
        return first(runId, partition -> partition.id().equals(id));
    }

    private Optional<Partition> first(RunId runId, Predicate<Partition> condition) {
        for (Partition partition : tables.shelf(runId).partitions.all()) {
            if (condition.test(partition)) {
                return Optional.of(partition);
            }
        }
        return Optional.empty();
    }
}
