package io.weir.ledger.database;

import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Consistency;
import io.weir.core.run.Cut;
import io.weir.core.run.Position;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.run.RunColumns;
import io.weir.ledger.run.RunRow;
import io.weir.ledger.run.RunStore;
import io.weir.ledger.sql.LossJson;
import io.weir.ledger.sql.ReadOptionsJson;

import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements on the table of runs. */
final class PostgresRunStore implements RunStore {
    static final String INSERT = """
            insert into weir.run (
                id, job, business_key, state, version, idempotency_key, fingerprint, source,
                source_table, target, publish_mode, allow_empty, data_path, lease_ms, lease_until,
                column_names, key_columns, partition_count, succeeded_partitions, extracted_rows,
                extracted_digest_sum, losses, recovery, cut_id, cut_tables, read_options,
                created_at, deadline)
            values (
                :id, :job, :business_key, :state, :version, :idempotency_key, :fingerprint,
                :source, :source_table, :target, :publish_mode, :allow_empty, :data_path,
                :lease_ms, :lease_until, :column_names, :key_columns, :partition_count,
                :succeeded_partitions, :extracted_rows, :extracted_digest_sum,
                cast(:losses as jsonb), :recovery, :cut_id, :cut_tables,
                cast(:read_options as jsonb), :created_at, :deadline)
            on conflict do nothing
            """;

    static final String UPDATE = """
            update weir.run
            set state = :state,
                version = :version,
                column_names = :column_names,
                key_columns = :key_columns,
                manifest_digest = :manifest_digest,
                snapshot_kind = :snapshot_kind,
                snapshot_text = :snapshot_text,
                position_kind = :position_kind,
                position_text = :position_text,
                consistency = :consistency,
                source_count = :source_count,
                partition_count = :partition_count,
                succeeded_partitions = :succeeded_partitions,
                extracted_rows = :extracted_rows,
                extracted_digest_sum = :extracted_digest_sum,
                losses = cast(:losses as jsonb),
                read_options = cast(:read_options as jsonb),
                owner = :owner,
                lease_until = :lease_until,
                staged_snapshot_id = :staged_snapshot_id,
                published_snapshot_id = :published_snapshot_id,
                failure_stage = :failure_stage,
                failure_code = :failure_code,
                failure_message = :failure_message,
                extracted_at = :extracted_at,
                published_at = :published_at,
                confirmed_at = :confirmed_at,
                ended_at = :ended_at,
                cleaned_at = :cleaned_at
            where id = :id and version = :version_before and state = :state_before
            """;

    static final String RENEW = """
            update weir.run
            set lease_until = :lease_until
            where id = :id and version = :version and state = :state
            """;

    static final String FIND = """
            select * from weir.run where id = :id
            """;

    static final String LOCK = """
            select * from weir.run where id = :id for update
            """;

    static final String BY_IDEMPOTENCY_KEY = """
            select * from weir.run where idempotency_key = :idempotency_key
            """;

    static final String LOCK_ACTIVE = """
            select *
            from weir.run
            where job = :job
              and business_key = :business_key
              and target = :target
              and state in (
                'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING',
                'STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED')
            for update
            """;

    static final String LOCK_IF_FREE = """
            select * from weir.run where id = :id for update skip locked
            """;

    static final String OF_CUT = """
            select * from weir.run where cut_id = :cut_id order by created_at, id
            """;

    static final String PUBLISHED_AFTER = """
            select run.*
            from weir.publish_attempt as attempt
            join weir.run on run.id = attempt.run_id
            where attempt.target = :target and attempt.state = 'PUBLISHED'
              and (run.created_at, run.id) > (:created_at, :id)
            order by run.created_at, run.id
            """;

    static final String LOCK_CUT = """
            select * from weir.run where cut_id = :cut_id order by id for update
            """;

    static final String ACTIVE = """
            select id
            from weir.run
            where state in (
                'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING',
                'STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED')
            order by created_at, id
            limit :most
            """;

    static final String CLEANABLE = """
            select *
            from weir.run
            where ended_at < case
                when state = 'SUCCESS' then cast(:succeeded as timestamptz)
                else cast(:failed as timestamptz)
              end
              and cleaned_at is null
              and not exists (
                select from weir.publish_attempt as attempt
                where attempt.run_id = run.id and attempt.state in ('OPEN', 'UNKNOWN'))
            order by ended_at, id
            limit :most
            """;

    static final String NEWEST = """
            select *
            from weir.run
            where (cast(:job as text) is null or job = :job)
              and (not :active_only or state in (
                'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING',
                'STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED'))
            order by created_at desc, id
            limit :limit
            """;

    private final Handle handle;

    PostgresRunStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public Optional<RowChange> insert(RunRow row) {
        int count = handle.createUpdate(INSERT)
                .bindMap(RunColumns.of(row).bindings())
                .execute();
        return count == 1 ? Optional.of(RunColumns.added(row)) : Optional.empty();
    }

    @Override
    public Optional<RowChange> update(RunRow before, RunRow after) {
        int count = handle.createUpdate(UPDATE)
                .bindMap(RunColumns.of(after).bindings())
                .bind("version_before", before.run().version())
                .bind("state_before", before.run().state().name())
                .execute();
        return count == 1 ? Optional.of(RunColumns.changed(before, after)) : Optional.empty();
    }

    @Override
    public boolean renew(RunRow row) {
        return handle.createUpdate(RENEW)
                        .bind("id", row.run().id().value())
                        .bind("version", row.run().version())
                        .bind("state", row.run().state().name())
                        .bind("lease_until", row.run().leaseUntil().atOffset(ZoneOffset.UTC))
                        .execute()
                == 1;
    }

    @Override
    public Optional<RunRow> find(RunId id) {
        return byId(FIND, id);
    }

    @Override
    public Optional<RunRow> lock(RunId id) {
        return byId(LOCK, id);
    }

    @Override
    public Optional<RunRow> byIdempotencyKey(String key) {
        return handle.createQuery(BY_IDEMPOTENCY_KEY)
                .bind("idempotency_key", key)
                .map((rows, context) -> read(rows))
                .findOne();
    }

    @Override
    public Optional<RunRow> lockActive(String job, String businessKey, String target) {
        return handle.createQuery(LOCK_ACTIVE)
                .bind("job", job)
                .bind("business_key", businessKey)
                .bind("target", target)
                .map((rows, context) -> read(rows))
                .findOne();
    }

    @Override
    public Optional<RunRow> lockIfFree(RunId id) {
        return byId(LOCK_IF_FREE, id);
    }

    @Override
    public List<RunRow> ofCut(UUID cutId) {
        return byCut(OF_CUT, cutId);
    }

    @Override
    public List<RunRow> publishedAfter(Run run) {
        return handle.createQuery(PUBLISHED_AFTER)
                .bind("target", run.target())
                .bind("created_at", run.createdAt().atOffset(ZoneOffset.UTC))
                .bind("id", run.id().value())
                .map((rows, context) -> read(rows))
                .list();
    }

    @Override
    public List<RunRow> lockCut(UUID cutId) {
        return byCut(LOCK_CUT, cutId);
    }

    private List<RunRow> byCut(String sql, UUID cutId) {
        return handle.createQuery(sql)
                .bind("cut_id", cutId)
                .map((rows, context) -> read(rows))
                .list();
    }

    @Override
    public List<RunId> active(int most) {
        return handle.createQuery(ACTIVE)
                .bind("most", most)
                .map((rows, context) -> new RunId(new Fields(rows).uuid("id")))
                .list();
    }

    @Override
    public List<RunRow> cleanable(Instant succeeded, Instant failed, int most) {
        return handle.createQuery(CLEANABLE)
                .bind("succeeded", succeeded.atOffset(ZoneOffset.UTC))
                .bind("failed", failed.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .map((rows, context) -> read(rows))
                .list();
    }

    @Override
    public List<RunRow> newest(RunFilter filter) {
        return handle.createQuery(NEWEST)
                .bind("job", filter.job())
                .bind("active_only", filter.activeOnly())
                .bind("limit", filter.limit())
                .map((rows, context) -> read(rows))
                .list();
    }

    private Optional<RunRow> byId(String sql, RunId id) {
        return handle.createQuery(sql)
                .bind("id", id.value())
                .map((rows, context) -> read(rows))
                .findOne();
    }

    private static RunRow read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new RunRow(
                readRun(fields),
                fields.text("idempotency_key"),
                fields.text("fingerprint"),
                fields.truth("allow_empty"),
                Duration.ofMillis(fields.number("lease_ms")),
                fields.texts("column_names"),
                ReadOptionsJson.read(fields.text("read_options")),
                fields.textOrNull("manifest_digest"));
    }

    private static Run readRun(Fields fields) throws SQLException {
        return new Run(
                new RunId(fields.uuid("id")),
                fields.text("job"),
                fields.text("business_key"),
                fields.constant("state", RunState.class),
                fields.number("version"),
                fields.text("source"),
                fields.text("source_table"),
                fields.text("target"),
                fields.constant("publish_mode", PublishMode.class),
                fields.texts("key_columns"),
                fields.text("data_path"),
                snapshot(fields),
                position(fields),
                consistency(fields),
                fields.numberOrNull("source_count"),
                fields.count("partition_count"),
                fields.count("succeeded_partitions"),
                fields.balance("extracted_"),
                fields.numberOrNull("staged_snapshot_id"),
                fields.numberOrNull("published_snapshot_id"),
                LossJson.read(fields.text("losses")),
                fields.failureOrNull(),
                fields.instant("created_at"),
                fields.instantOrNull("extracted_at"),
                fields.instantOrNull("published_at"),
                fields.instantOrNull("ended_at"),
                fields.constant("recovery", RecoveryMode.class),
                cut(fields),
                fields.textOrNull("owner"),
                fields.instantOrNull("confirmed_at"),
                fields.instantOrNull("cleaned_at"),
                fields.instant("lease_until"),
                fields.instant("deadline"));
    }

    private static @Nullable Cut cut(Fields fields) throws SQLException {
        UUID id = fields.uuidOrNull("cut_id");
        return id == null ? null : new Cut(id, fields.count("cut_tables"));
    }

    private static @Nullable SnapshotToken snapshot(Fields fields) throws SQLException {
        String kind = fields.textOrNull("snapshot_kind");
        return kind == null ? null : new SnapshotToken(kind, fields.text("snapshot_text"));
    }

    private static @Nullable Position position(Fields fields) throws SQLException {
        String kind = fields.textOrNull("position_kind");
        return kind == null ? null : new Position(kind, fields.text("position_text"));
    }

    private static @Nullable Consistency consistency(Fields fields) throws SQLException {
        return fields.textOrNull("consistency") == null
                ? null
                : fields.constant("consistency", Consistency.class);
    }
}
