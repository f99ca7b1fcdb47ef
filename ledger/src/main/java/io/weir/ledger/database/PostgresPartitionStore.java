package io.weir.ledger.database;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.partition.LockedPartition;
import io.weir.ledger.partition.PartitionCall;
import io.weir.ledger.partition.PartitionColumns;
import io.weir.ledger.partition.PartitionStore;

import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements on the table of partitions. */
final class PostgresPartitionStore implements PartitionStore {
    static final String INSERT = """
            insert into weir.partition (
                run_id, id, ordinal, lower_kind, lower_text, upper_kind, upper_text, is_null,
                state, version, epoch, expected_rows, progress_rows, progress_bytes, chunk_count,
                bytes, rows, digest_sum)
            select
                run_id, id, ordinal, lower_kind, lower_text, upper_kind, upper_text, is_null,
                state, version, epoch, expected_rows, progress_rows, progress_bytes, chunk_count,
                bytes, rows, digest_sum
            from json_populate_recordset(cast(null as weir.partition), cast(:rows as json))
            """;

    static final String UPDATE = """
            update weir.partition
            set state = :state,
                version = :version,
                epoch = :epoch,
                token = :token,
                worker = :worker,
                progress_rows = :progress_rows,
                progress_bytes = :progress_bytes,
                chunk_count = :chunk_count,
                bytes = :bytes,
                rows = :rows,
                digest_sum = :digest_sum,
                failure_stage = :failure_stage,
                failure_code = :failure_code,
                failure_message = :failure_message,
                started_at = :started_at,
                ended_at = :ended_at,
                lease_until = :lease_until
            where run_id = :run_id and id = :id
              and version = :version_before and state = :state_before
            """;

    static final String RENEW = """
            update weir.partition
            set lease_until = :lease_until,
                progress_rows = :progress_rows,
                progress_bytes = :progress_bytes
            where run_id = :run_id and id = :id and version = :version and state = :state
            """;

    static final String LOCK = "select locked.*, " + Besides.CLOCK + """

            from (
                select * from weir.partition where run_id = :run_id and id = :id
                for update) as locked
            """;

    /** The version is that of the statement's view; if it is the row's, the view is not older. */
    static final String LOCK_FREE =
            "select locked.*, " + Besides.COLUMNS + """
            ,
                coalesce(
                    (select true from weir.chunk as c
                    where c.run_id = call.run_id and c.partition_id = call.id
                      and c.epoch = call.epoch and c.chunk_index = any (call.indexes)
                    limit 1),
                    (select true from weir.chunk as c
                    where c.run_id = call.run_id and c.partition_id = call.id
                      and c.epoch = call.epoch and c.last
                    limit 1),
                    false) as met
            from json_to_recordset(cast(:calls as json)) as call (
                run_id uuid, id text, epoch bigint, indexes integer[])
            cross join lateral (
                select * from weir.partition as p
                where p.run_id = call.run_id and p.id = call.id
                for update skip locked) as locked
            """ + Besides.HOLDER + """
            where locked.version = (
                select version from weir.partition as seen
                where seen.run_id = call.run_id and seen.id = call.id)
            """;

    static final String LOCK_BY_TOKEN = "select locked.*, " + Besides.CLOCK + """

            from unnest(cast(:tokens as uuid[])) as wanted (token)
            cross join lateral (
                select * from weir.partition as p
                where p.run_id = :run_id and p.token = wanted.token
                for update) as locked
            """;

    static final String LOCK_NEXT = "select locked.*, " + Besides.COLUMNS + """
            ,
                false as met
            from (
                select *
                from weir.partition
                where run_id = :run_id
                  and state in ('PENDING', 'RETRY')
                order by ordinal
                limit :most
                for update skip locked) as locked
            """ + Besides.HOLDER;

    static final String LOCK_OPEN = """
            select *
            from weir.partition
            where run_id = :run_id and state in ('PENDING', 'RETRY', 'RUNNING')
            order by ordinal
            for update
            """;

    static final String OF_RUN = """
            select * from weir.partition where run_id = :run_id order by ordinal
            """;

    private final Handle handle;
    private final Moment moment;

    /**
     * Makes a store on one connection.
     *
     * @param moment learns what the clock was after a lock
     */
    PostgresPartitionStore(Handle handle, Moment moment) {
        this.handle = handle;
        this.moment = moment;
    }

    @Override
    public void insertAll(List<Partition> partitions) {
        handle.createUpdate(INSERT)
                .bind(
                        "rows",
                        JsonRows.of(partitions, row -> PartitionColumns.of(row).document()))
                .execute();
    }

    @Override
    public Optional<RowChange> update(Partition before, Partition after) {
        int count = handle.createUpdate(UPDATE)
                .bindMap(PartitionColumns.of(after).bindings())
                .bind("version_before", before.version())
                .bind("state_before", before.state().name())
                .execute();
        return count == 1 ? Optional.of(PartitionColumns.changed(before, after)) : Optional.empty();
    }

    @Override
    public boolean renew(Partition partition) {
        return handle.createUpdate(RENEW)
                        .bindMap(PartitionColumns.of(partition).bindings())
                        .execute()
                == 1;
    }

    @Override
    public Optional<Partition> lock(RunId runId, PartitionId id) {
        return handle.createQuery(LOCK)
                .bind("run_id", runId.value())
                .bind("id", id.value())
                .map((rows, context) -> locked(rows))
                .findOne();
    }

    @Override
    public List<LockedPartition> lockFree(Collection<PartitionCall> calls) {
        return handle.createQuery(LOCK_FREE)
                .bind("calls", JsonRows.of(calls, PostgresPartitionStore::document))
                .map((rows, context) -> besides(rows))
                .list();
    }

    private static ObjectNode document(PartitionCall call) {
        ObjectNode document = Json.object()
                .put("run_id", call.runId().toString())
                .put("id", call.id().toString())
                .put("epoch", call.epoch());
        ArrayNode indexes = document.putArray("indexes");
        call.indexes().forEach(indexes::add);
        return document;
    }

    @Override
    public List<Partition> lockByToken(RunId runId, Collection<UUID> tokens) {
        return handle.createQuery(LOCK_BY_TOKEN)
                .bind("run_id", runId.value())
                .bindArray("tokens", UUID.class, tokens.toArray())
                .map((rows, context) -> locked(rows))
                .list();
    }

    @Override
    public List<LockedPartition> lockNext(RunId runId, int most) {
        return handle.createQuery(LOCK_NEXT)
                .bind("run_id", runId.value())
                .bind("most", most)
                .map((rows, context) -> besides(rows))
                .list();
    }

    @Override
    public List<Partition> lockOpen(RunId runId) {
        return list(LOCK_OPEN, runId);
    }

    @Override
    public List<Partition> ofRun(RunId runId) {
        return list(OF_RUN, runId);
    }

    private List<Partition> list(String sql, RunId runId) {
        return handle.createQuery(sql)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
    }

    private Partition locked(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        moment.set(fields.instant("locked_at"), fields.textOrNull("transaction_id"));
        return read(rows);
    }

    private LockedPartition besides(ResultSet rows) throws SQLException {
        Partition partition = locked(rows);
        Fields fields = new Fields(rows);
        UUID holder = fields.uuidOrNull("holder");
        return new LockedPartition(
                partition,
                fields.text("data_path"),
                holder == null ? null : holder(fields, partition.runId(), holder),
                fields.truth("met"));
    }

    private static SnapshotHolder holder(Fields fields, RunId runId, UUID id) throws SQLException {
        return new SnapshotHolder(
                runId,
                id,
                new SnapshotToken(fields.text("snapshot_kind"), fields.text("snapshot_text")),
                fields.text("holder_worker"),
                fields.instant("holder_until"));
    }

    private static Partition read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new Partition(
                new RunId(fields.uuid("run_id")),
                new PartitionId(fields.text("id")),
                fields.count("ordinal"),
                new KeyRange(
                        bound(fields, "lower"), bound(fields, "upper"), fields.truth("is_null")),
                fields.constant("state", PartitionState.class),
                fields.number("version"),
                fields.number("epoch"),
                fields.uuidOrNull("token"),
                fields.textOrNull("worker"),
                fields.numberOrNull("expected_rows"),
                fields.number("progress_rows"),
                fields.number("progress_bytes"),
                fields.count("chunk_count"),
                fields.number("bytes"),
                fields.balance(""),
                fields.failureOrNull(),
                fields.instantOrNull("started_at"),
                fields.instantOrNull("ended_at"),
                fields.instantOrNull("lease_until"));
    }

    private static @Nullable Bound bound(Fields fields, String side) throws SQLException {
        String kind = fields.textOrNull(side + "_kind");
        return kind == null ? null : new Bound(kind, fields.text(side + "_text"));
    }
}
