package io.weir.testkit.ledger;

import io.weir.core.run.Chunk;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.partition.PartitionColumns;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.PartitionStore;
import io.weir.ledger.partition.SeenPartition;
import io.weir.testkit.ledger.MemoryTables.Shelf;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The table of partitions in memory. */
public class MemoryPartitionStore implements PartitionStore {
    protected final MemoryTables tables;
    private final Supplier<Instant> clock;
    private final Interference interference;

    public MemoryPartitionStore(
            MemoryTables tables, Supplier<Instant> clock, Interference interference) {
        this.tables = tables;
        this.clock = clock;
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
    public List<SeenPartition> look(Collection<PartitionKey> keys) {
        List<SeenPartition> seen = new ArrayList<>();
        for (PartitionKey key : keys) {
            find(key.runId(), key.id()).map(this::seen).ifPresent(seen::add);
        }
        return seen;
    }

    @Override
    public List<SeenPartition> claimable(RunId runId, int most) {
        return tables.shelf(runId).partitions.where(row -> row.state().isClaimable()).stream()
                .limit(most)
                .map(this::seen)
                .toList();
    }

    private SeenPartition seen(Partition row) {
        List<Chunk> chunks = tables.shelf(row.runId()).chunks.all().stream()
                .map(ChunkRow::chunk)
                .filter(chunk -> chunk.partitionId().equals(row.id()))
                .filter(chunk -> chunk.epoch() == row.epoch())
                .toList();
        return new SeenPartition(
                row,
                clock.get(),
                tables.runs.get(row.runId()).orElseThrow().run().dataPath(),
                chunks.stream().map(Chunk::index).toList(),
                chunks.stream().anyMatch(Chunk::last));
    }

    @Override
    public Optional<Partition> lockByToken(RunId runId, UUID token) {
        return first(runId, partition -> token.equals(partition.token()));
    }

    @Override
    public Optional<Partition> lockNext(RunId runId) {
        return first(
                runId, partition -> partition.state().isClaimable() && !interference.isLocked());
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
