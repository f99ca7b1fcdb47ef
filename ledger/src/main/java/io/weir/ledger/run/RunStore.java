package io.weir.ledger.run;

import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Consistency;
import io.weir.core.run.Position;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;
import io.weir.ledger.sql.Fields;
import io.weir.ledger.sql.LossJson;

import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Statements on the table of runs. */
public final class RunStore {
    static final String INSERT = """
            insert into weir.run (
                id, job, business_key, state, version, idempotency_key, fingerprint, source,
                source_table, target, publish_mode, allow_empty, data_path, lease_ms, lease_until,
                column_names, key_columns, partition_count, succeeded_partitions, extracted_rows,
                extracted_digest_sum, losses, created_at)
            values (
                :id, :job, :business_key, :state, :version, :idempotency_key, :fingerprint,
                :source, :source_table, :target, :publish_mode, :allow_empty, :data_path,
                :lease_ms, :lease_until, :column_names, :key_columns, :partition_count,
                :succeeded_partitions, :extracted_rows, :extracted_digest_sum,
                cast(:losses as jsonb), :created_at)
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
                auditor = :auditor,
                staged_snapshot_id = :staged_snapshot_id,
                published_snapshot_id = :published_snapshot_id,
                failure_stage = :failure_stage,
                failure_code = :failure_code,
                failure_message = :failure_message,
                extracted_at = :extracted_at,
                published_at = :published_at,
                ended_at = :ended_at
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
              and state in (
                'CREATED', 'EXTRACTING', 'EXTRACTED_VALIDATED', 'STAGE_VALIDATING',
                'STAGING_VALIDATED', 'PUBLISHING', 'PUBLISH_UNKNOWN', 'PUBLISHED')
            for update
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

    /** The row as the journal names it; events carry the run id beside. */
    private static final String ROW = "run";

    private final Handle handle;

    public RunStore(Handle handle) {
        this.handle = handle;
    }

    /** Empty if a constraint kept the row out: the key is taken by another run. */
    public Optional<RowChange> insert(RunRow row) {
        Columns columns = columns(row);
        int count = handle.createUpdate(INSERT).bindMap(columns.bindings()).execute();
        return count == 1
                ? Optional.of(new RowChange(ROW, columns.difference(null)))
                : Optional.empty();
    }

    /** Applies a decided move; empty if the row moved meanwhile. */
    public Optional<RowChange> update(RunRow before, RunRow after) {
        Columns columns = columns(after);
        int count = handle.createUpdate(UPDATE)
                .bindMap(columns.bindings())
                .bind("version_before", before.run().version())
                .bind("state_before", before.run().state().name())
                .execute();
        return count == 1
                ? Optional.of(new RowChange(ROW, columns.difference(columns(before))))
                : Optional.empty();
    }

    public boolean renew(RunRow row) {
        return handle.createUpdate(RENEW)
                        .bind("id", row.run().id().value())
                        .bind("version", row.run().version())
                        .bind("state", row.run().state().name())
                        .bind("lease_until", row.run().leaseUntil().atOffset(ZoneOffset.UTC))
                        .execute()
                == 1;
    }

    public Optional<RunRow> find(RunId id) {
        return byId(FIND, id);
    }

    public Optional<RunRow> lock(RunId id) {
        return byId(LOCK, id);
    }

    public Optional<RunRow> byIdempotencyKey(String key) {
        return handle.createQuery(BY_IDEMPOTENCY_KEY)
                .bind("idempotency_key", key)
                .map((rows, context) -> read(rows))
                .findOne();
    }

    public Optional<RunRow> lockActive(String job, String businessKey) {
        return handle.createQuery(LOCK_ACTIVE)
                .bind("job", job)
                .bind("business_key", businessKey)
                .map((rows, context) -> read(rows))
                .findOne();
    }

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

    private static Columns columns(RunRow row) {
        Run run = row.run();
        SnapshotToken snapshot = run.snapshot();
        Position position = run.position();
        Consistency consistency = run.consistency();
        return new Columns()
                .set("id", run.id().value())
                .set("job", run.job())
                .set("business_key", run.businessKey())
                .set("state", run.state().name())
                .set("version", run.version())
                .set("idempotency_key", row.idempotencyKey())
                .set("fingerprint", row.fingerprint())
                .set("source", run.source())
                .set("source_table", run.sourceTable())
                .set("target", run.target())
                .set("publish_mode", run.publishMode().name())
                .set("allow_empty", row.allowEmpty())
                .set("data_path", run.dataPath())
                .set("lease_ms", row.lease().toMillis())
                .set("lease_until", run.leaseUntil())
                .set("column_names", row.columns())
                .set("key_columns", run.keyColumns())
                .set("manifest_digest", row.manifestDigest())
                .set("snapshot_kind", snapshot == null ? null : snapshot.kind())
                .set("snapshot_text", snapshot == null ? null : snapshot.text())
                .set("position_kind", position == null ? null : position.kind())
                .set("position_text", position == null ? null : position.text())
                .set("consistency", consistency == null ? null : consistency.name())
                .set("source_count", run.sourceCount())
                .set("partition_count", run.partitionCount())
                .set("succeeded_partitions", run.succeededPartitions())
                .setBalance("extracted_", run.extracted())
                .set("losses", LossJson.write(run.losses()))
                .set("auditor", row.auditor())
                .set("staged_snapshot_id", run.stagedSnapshotId())
                .set("published_snapshot_id", run.publishedSnapshotId())
                .setFailure(run.failure())
                .set("created_at", run.createdAt())
                .set("extracted_at", run.extractedAt())
                .set("published_at", run.publishedAt())
                .set("ended_at", run.endedAt());
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
                fields.textOrNull("manifest_digest"),
                fields.textOrNull("auditor"));
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
                fields.instant("lease_until"));
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
