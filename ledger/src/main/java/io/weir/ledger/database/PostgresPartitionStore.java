package io.weir.ledger.database;

import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.partition.PartitionColumns;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.PartitionStore;
import io.weir.ledger.partition.SeenPartition;

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

    /** The clock is read outside of the select that locks, so that it is later than the lock. */
    static final String LOCK = """
            select locked.*, clock_timestamp() as locked_at,
                cast(pg_current_xact_id_if_assigned() as text) as transaction_id
            from (
                select * from weir.partition where run_id = :run_id and id = :id
                for update) as locked
            """;

    static final String LOCK_BY_TOKEN = """
            select locked.*, clock_timestamp() as locked_at,
                cast(pg_current_xact_id_if_assigned() as text) as transaction_id
            from (
                select * from weir.partition where run_id = :run_id and token = :token
                for update) as locked
            """;

    static final String LOCK_NEXT = """
            select locked.*, clock_timestamp() as locked_at,
                cast(pg_current_xact_id_if_assigned() as text) as transaction_id
            from (
                select *
                from weir.partition
                where run_id = :run_id and state in ('PENDING', 'RETRY')
                order by ordinal
                limit 1
                for update skip locked) as locked
            """;

    static final String LOOK = """
            select p.*, clock_timestamp() as seen_at, run.data_path,
                array(
                    select chunk_index
                    from weir.chunk as c
                    where c.run_id = p.run_id and c.partition_id = p.id and c.epoch = p.epoch)
                    as chunks,
                exists (
                    select
                    from weir.chunk as c
                    where c.run_id = p.run_id and c.partition_id = p.id and c.epoch = p.epoch
                      and c.last) as last_reported
            from unnest(cast(:runs as uuid[]), cast(:ids as text[])) as key (run_id, id)
            join weir.partition as p on p.run_id = key.run_id and p.id = key.id
            join weir.run as run on run.id = p.run_id
            """;

    /** Who claims looks at no chunks: those of earlier claims do not count. */
    static final String CLAIMABLE = """
            select p.*, clock_timestamp() as seen_at, run.data_path,
                cast('{}' as integer[]) as chunks, false as last_reported
            from (
                select *
                from weir.partition
                where run_id = :run_id and state in ('PENDING', 'RETRY')
                order by ordinal
                limit :most) as p
            join weir.run as run on run.id = p.run_id
            order by p.ordinal
            """;

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
    public List<SeenPartition> look(Collection<PartitionKey> keys) {
        return handle.createQuery(LOOK)
                .bindArray(
                        "runs",
                        UUID.class,
                        keys.stream().map(key -> key.runId().value()).toArray())
                .bindArray(
                        "ids",
                        String.class,
                        keys.stream().map(key -> key.id().value()).toArray())
                .map((rows, context) -> seen(rows))
                .list();
    }

    @Override
    public List<SeenPartition> claimable(RunId runId, int most) {
        return handle.createQuery(CLAIMABLE)
                .bind("run_id", runId.value())
                .bind("most", most)
                .map((rows, context) -> seen(rows))
                .list();
    }

    @Override
    public Optional<Partition> lockByToken(RunId runId, UUID token) {
        return handle.createQuery(LOCK_BY_TOKEN)
                .bind("run_id", runId.value())
                .bind("token", token)
                .map((rows, context) -> locked(rows))
                .findOne();
    }

    @Override
    public Optional<Partition> lockNext(RunId runId) {
        return handle.createQuery(LOCK_NEXT)
                .bind("run_id", runId.value())
                .map((rows, context) -> locked(rows))
                .findOne();
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

    private static SeenPartition seen(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new SeenPartition(
                read(rows),
                fields.instant("seen_at"),
                fields.text("data_path"),
                fields.counts("chunks"),
                fields.truth("last_reported"));
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
