package io.weir.testkit.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.chunk.ChunkColumns;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.chunk.ChunkStore;
import io.weir.ledger.event.RowChange;
import io.weir.testkit.ledger.MemoryTables.ChunkKey;
import io.weir.testkit.ledger.MemoryTables.Shelf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of chunks in memory. */
public class MemoryChunkStore implements ChunkStore {
    protected final MemoryTables tables;

    public MemoryChunkStore(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public List<RowChange> insertAll(List<ChunkRow> rows) {
        rows.forEach(this::insert);
        return ChunkColumns.added(rows);
    }

    private void insert(ChunkRow row) {
        Chunk chunk = row.chunk();
        Shelf shelf = tables.shelf(chunk.runId());
        boolean known = shelf.partitions.all().stream()
                .anyMatch(partition -> partition.id().equals(chunk.partitionId()));
        tables.checks.require("chunk_of_partition", known);
        tables.checks.require("chunk_pk", !shelf.chunks.has(key(chunk)));
        tables.checks.chunk(row);
        boolean second = chunk.last()
                && !ofClaim(chunk.runId(), chunk.partitionId(), chunk.epoch()).stream()
                        .filter(other -> other.chunk().last())
                        .toList()
                        .isEmpty();
        tables.checks.require("chunk_one_last", !second);
        write(row);
    }

    @Override
    public List<RowChange> updateAll(List<ChunkRow> before, List<ChunkRow> after) {
        List<RowChange> changes = new ArrayList<>();
        for (int i = 0; i < after.size(); i++) {
            Chunk chunk = after.get(i).chunk();
            ChunkState state = before.get(i).chunk().state();
            Optional<ChunkRow> now = tables.shelf(chunk.runId()).chunks.get(key(chunk));
            if (now.filter(row -> row.chunk().state() == state).isEmpty()) {
                throw new WeirException(
                        ErrorCode.LEDGER_INVARIANT,
                        "Cannot judge a chunk: its row moved although it was locked");
            }
            tables.checks.chunk(after.get(i));
            write(after.get(i));
            changes.add(ChunkColumns.changed(before.get(i), after.get(i)));
        }
        return changes;
    }

    @Override
    public List<ChunkRow> lockWrittenBefore(RunId runId, PartitionId id, long epoch) {
        return tables.shelf(runId)
                .chunks
                .where(row -> row.chunk().partitionId().equals(id)
                        && row.chunk().epoch() < epoch
                        && row.chunk().state() == ChunkState.WRITTEN);
    }

    @Override
    public List<ChunkRow> ofClaim(RunId runId, PartitionId id, long epoch) {
        return tables.shelf(runId)
                .chunks
                .where(row ->
                        row.chunk().partitionId().equals(id) && row.chunk().epoch() == epoch);
    }

    @Override
    public List<ChunkRow> counted(RunId runId) {
        List<ChunkRow> counted = new ArrayList<>();
        for (Partition partition : tables.shelf(runId).partitions.all()) {
            counted.addAll(ofClaim(runId, partition.id(), partition.epoch()));
        }
        return counted;
    }

    private void write(ChunkRow row) {
        tables.shelf(row.chunk().runId()).chunks.put(key(row.chunk()), row);
        tables.touched.add(row.chunk().runId());
    }

    private static ChunkKey key(Chunk chunk) {
        return new ChunkKey(chunk.partitionId().value(), chunk.epoch(), chunk.index());
    }
}
