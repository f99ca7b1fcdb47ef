package io.weir.ledger.database;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkFile;
import io.weir.core.run.ChunkState;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.chunk.ChunkColumns;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.chunk.ChunkStore;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.LossJson;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements on the table of chunks. */
final class PostgresChunkStore implements ChunkStore {
    static final String INSERT = """
            insert into weir.chunk (
                run_id, partition_id, epoch, chunk_index, bytes, rows, digest_sum, losses, last,
                state)
            select
                run_id, partition_id, epoch, chunk_index, bytes, rows, digest_sum, losses, last,
                state
            from json_populate_recordset(cast(null as weir.chunk), cast(:rows as json))
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
            select c.*, run.data_path
            from weir.chunk as c
            join weir.run on run.id = c.run_id
            where c.run_id = :run_id and c.partition_id = :partition_id and c.epoch = :epoch
            order by c.chunk_index
            """;

    static final String LOCK_WRITTEN_BEFORE = """
            select c.*, run.data_path
            from weir.chunk as c
            join weir.run on run.id = c.run_id
            where c.run_id = :run_id and c.partition_id = :partition_id and c.epoch < :epoch
              and c.state = 'WRITTEN'
            order by c.epoch, c.chunk_index
            for update of c
            """;

    static final String COUNTED = """
            select c.*, run.data_path
            from weir.chunk as c
            join weir.run on run.id = c.run_id
            join weir.partition as p
              on p.run_id = c.run_id and p.id = c.partition_id and p.epoch = c.epoch
            where c.run_id = :run_id
            order by p.ordinal, c.chunk_index
            """;

    private final Handle handle;

    PostgresChunkStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public List<RowChange> insertAll(List<ChunkRow> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        handle.createUpdate(INSERT)
                .bind("rows", JsonRows.of(rows, row -> ChunkColumns.of(row).document()))
                .execute();
        return ChunkColumns.added(rows);
    }

    @Override
    public List<RowChange> updateAll(List<ChunkRow> before, List<ChunkRow> after) {
        List<RowChange> changes = new ArrayList<>();
        if (after.isEmpty()) {
            return changes;
        }
        try (PreparedBatch batch = handle.prepareBatch(UPDATE)) {
            for (int i = 0; i < after.size(); i++) {
                batch.bindMap(ChunkColumns.of(after.get(i)).bindings())
                        .bind("state_before", before.get(i).chunk().state().name())
                        .add();
                changes.add(ChunkColumns.changed(before.get(i), after.get(i)));
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

    @Override
    public List<ChunkRow> lockWrittenBefore(RunId runId, PartitionId id, long epoch) {
        return handle.createQuery(LOCK_WRITTEN_BEFORE)
                .bind("run_id", runId.value())
                .bind("partition_id", id.value())
                .bind("epoch", epoch)
                .map((rows, context) -> read(rows))
                .list();
    }

    @Override
    public List<ChunkRow> ofClaim(RunId runId, PartitionId id, long epoch) {
        return handle.createQuery(OF_CLAIM)
                .bind("run_id", runId.value())
                .bind("partition_id", id.value())
                .bind("epoch", epoch)
                .map((rows, context) -> read(rows))
                .list();
    }

    @Override
    public List<ChunkRow> counted(RunId runId) {
        return handle.createQuery(COUNTED)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
    }

    private static ChunkRow read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        PartitionId id = new PartitionId(fields.text("partition_id"));
        long epoch = fields.number("epoch");
        int index = fields.count("chunk_index");
        long bytes = fields.number("bytes");
        String directory = ChunkFile.directory(fields.text("data_path"), id, epoch);
        return new ChunkRow(
                new Chunk(
                        new RunId(fields.uuid("run_id")),
                        id,
                        epoch,
                        index,
                        ChunkFile.path(directory, id, index, bytes),
                        bytes,
                        fields.balance(""),
                        fields.balanceOrNull("measured_"),
                        fields.truth("last"),
                        fields.constant("state", ChunkState.class)),
                LossJson.read(fields.text("losses")));
    }
}
