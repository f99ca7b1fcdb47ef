package io.weir.ledger.chunk;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;
import io.weir.ledger.sql.Fields;
import io.weir.ledger.sql.LossJson;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements on the table of chunks. */
public final class ChunkStore {
    static final String INSERT = """
            insert into weir.chunk (
                run_id, partition_id, epoch, chunk_index, path, bytes, rows, digest_sum, losses,
                last, state)
            values (
                :run_id, :partition_id, :epoch, :chunk_index, :path, :bytes, :rows, :digest_sum,
                cast(:losses as jsonb), :last, :state)
            """;

    static final String UPDATE = """
            update weir.chunk
            set state = :state,
                measured_rows = :measured_rows,
                measured_digest_sum = :measured_digest_sum
            where run_id = :run_id and partition_id = :partition_id and epoch = :epoch
              and chunk_index = :chunk_index and state = :state_before
            """;

    static final String OF_CLAIM = """
            select *
            from weir.chunk
            where run_id = :run_id and partition_id = :partition_id and epoch = :epoch
            order by chunk_index
            """;

    static final String WRITTEN_BEFORE = """
            select *
            from weir.chunk
            where run_id = :run_id and partition_id = :partition_id and epoch < :epoch
              and state = 'WRITTEN'
            order by epoch, chunk_index
            for update
            """;

    static final String COUNTED = """
            select c.*
            from weir.chunk c
            join weir.partition p
              on p.run_id = c.run_id and p.id = c.partition_id and p.epoch = c.epoch
            where c.run_id = :run_id
            order by p.ordinal, c.chunk_index
            """;

    private final Handle handle;

    public ChunkStore(Handle handle) {
        this.handle = handle;
    }

    public List<RowChange> insertAll(List<ChunkRow> rows) {
        List<RowChange> changes = new ArrayList<>();
        if (rows.isEmpty()) {
            return changes;
        }
        try (PreparedBatch batch = handle.prepareBatch(INSERT)) {
            for (ChunkRow row : rows) {
                Columns columns = columns(row);
                batch.bindMap(columns.bindings()).add();
                changes.add(new RowChange(name(row.chunk()), columns.difference(null)));
            }
            batch.execute();
        }
        return changes;
    }

    /** Applies verdicts; the caller holds the lock of the run. */
    public List<RowChange> updateAll(List<ChunkRow> before, List<ChunkRow> after) {
        List<RowChange> changes = new ArrayList<>();
        if (after.isEmpty()) {
            return changes;
        }
        try (PreparedBatch batch = handle.prepareBatch(UPDATE)) {
            for (int i = 0; i < after.size(); i++) {
                Columns columns = columns(after.get(i));
                batch.bindMap(columns.bindings())
                        .bind("state_before", before.get(i).chunk().state().name())
                        .add();
                changes.add(new RowChange(
                        name(after.get(i).chunk()), columns.difference(columns(before.get(i)))));
            }
            for (int count : batch.execute()) {
                if (count != 1) {
                    throw new WeirException(
                            ErrorCode.LEDGER_INVARIANT,
                            "Cannot judge a chunk: its row moved although it was locked");
                }
            }
        }
        return changes;
    }

    /** Chunks of claims that were lost never count. */
    public List<RowChange> failWrittenBefore(RunId runId, PartitionId id, long epoch) {
        List<ChunkRow> lost = handle.createQuery(WRITTEN_BEFORE)
                .bind("run_id", runId.value())
                .bind("partition_id", id.value())
                .bind("epoch", epoch)
                .map((rows, context) -> read(rows))
                .list();
        return updateAll(lost, lost.stream().map(ChunkStore::failed).toList());
    }

    public List<ChunkRow> ofClaim(RunId runId, PartitionId id, long epoch) {
        return handle.createQuery(OF_CLAIM)
                .bind("run_id", runId.value())
                .bind("partition_id", id.value())
                .bind("epoch", epoch)
                .map((rows, context) -> read(rows))
                .list();
    }

    /** Chunks of the current epoch of their partition, in split order. */
    public List<ChunkRow> counted(RunId runId) {
        return handle.createQuery(COUNTED)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
    }

    private static ChunkRow failed(ChunkRow row) {
        Chunk chunk = row.chunk();
        return new ChunkRow(
                new Chunk(
                        chunk.runId(),
                        chunk.partitionId(),
                        chunk.epoch(),
                        chunk.index(),
                        chunk.path(),
                        chunk.bytes(),
                        chunk.balance(),
                        chunk.measured(),
                        chunk.last(),
                        ChunkState.FAILED),
                row.losses());
    }

    private static String name(Chunk chunk) {
        return "chunk/" + chunk.partitionId() + "/" + chunk.epoch() + "/" + chunk.index();
    }

    private static Columns columns(ChunkRow row) {
        Chunk chunk = row.chunk();
        return new Columns()
                .set("run_id", chunk.runId().value())
                .set("partition_id", chunk.partitionId().value())
                .set("epoch", chunk.epoch())
                .set("chunk_index", chunk.index())
                .set("path", chunk.path())
                .set("bytes", chunk.bytes())
                .setBalance("", chunk.balance())
                .setBalance("measured_", chunk.measured())
                .set("losses", LossJson.write(row.losses()))
                .set("last", chunk.last())
                .set("state", chunk.state().name());
    }

    private static ChunkRow read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new ChunkRow(
                new Chunk(
                        new RunId(fields.uuid("run_id")),
                        new PartitionId(fields.text("partition_id")),
                        fields.number("epoch"),
                        fields.count("chunk_index"),
                        fields.textOrNull("path"),
                        fields.number("bytes"),
                        fields.balance(""),
                        fields.balanceOrNull("measured_"),
                        fields.truth("last"),
                        fields.constant("state", ChunkState.class)),
                LossJson.read(fields.text("losses")));
    }
}
