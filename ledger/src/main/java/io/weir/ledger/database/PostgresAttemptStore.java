package io.weir.ledger.database;

import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.publish.AttemptColumns;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.publish.AttemptStore;

import org.jdbi.v3.core.Handle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements on the table of publish attempts. */
final class PostgresAttemptStore implements AttemptStore {
    static final String INSERT = """
            insert into weir.publish_attempt (
                target, epoch, run_id, token, state, version, base_snapshot_id,
                staged_snapshot_id, evidence)
            values (
                :target, :epoch, :run_id, :token, :state, :version, :base_snapshot_id,
                :staged_snapshot_id, :evidence)
            """;

    static final String UPDATE = """
            update weir.publish_attempt
            set state = :state,
                version = :version,
                staged_snapshot_id = :staged_snapshot_id,
                evidence = :evidence
            where target = :target and epoch = :epoch
              and version = :version_before and state = :state_before
            """;

    static final String LOCK = """
            select * from weir.publish_attempt
            where target = :target and epoch = :epoch and run_id = :run_id
            for update
            """;

    static final String BY_TOKEN = """
            select * from weir.publish_attempt where run_id = :run_id and token = :token
            """;

    static final String UNSETTLED_AT = """
            select * from weir.publish_attempt
            where target = :target and state in ('OPEN', 'UNKNOWN')
            """;

    static final String LOCK_UNSETTLED = """
            select * from weir.publish_attempt
            where run_id = :run_id and state in ('STAGED', 'OPEN')
            order by target, epoch
            for update
            """;

    static final String OF_RUN = """
            select * from weir.publish_attempt where run_id = :run_id order by epoch
            """;

    private final Handle handle;

    PostgresAttemptStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public RowChange insert(AttemptRow row) {
        handle.createUpdate(INSERT).bindMap(AttemptColumns.of(row).bindings()).execute();
        return AttemptColumns.added(row);
    }

    @Override
    public Optional<RowChange> update(AttemptRow before, AttemptRow after) {
        int count = handle.createUpdate(UPDATE)
                .bindMap(AttemptColumns.of(after).bindings())
                .bind("version_before", before.version())
                .bind("state_before", before.attempt().state().name())
                .execute();
        return count == 1 ? Optional.of(AttemptColumns.changed(before, after)) : Optional.empty();
    }

    @Override
    public Optional<AttemptRow> lock(String target, long epoch, RunId runId) {
        return handle.createQuery(LOCK)
                .bind("target", target)
                .bind("epoch", epoch)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .findOne();
    }

    @Override
    public Optional<AttemptRow> byToken(RunId runId, UUID token) {
        return handle.createQuery(BY_TOKEN)
                .bind("run_id", runId.value())
                .bind("token", token)
                .map((rows, context) -> read(rows))
                .findOne();
    }

    @Override
    public Optional<AttemptRow> unsettledAt(String target) {
        return handle.createQuery(UNSETTLED_AT)
                .bind("target", target)
                .map((rows, context) -> read(rows))
                .findOne();
    }

    @Override
    public List<AttemptRow> lockUnsettled(RunId runId) {
        return list(LOCK_UNSETTLED, runId);
    }

    @Override
    public List<AttemptRow> ofRun(RunId runId) {
        return list(OF_RUN, runId);
    }

    private List<AttemptRow> list(String sql, RunId runId) {
        return handle.createQuery(sql)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
    }

    private static AttemptRow read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new AttemptRow(
                new PublishAttempt(
                        fields.text("target"),
                        fields.number("epoch"),
                        new RunId(fields.uuid("run_id")),
                        fields.uuid("token"),
                        fields.constant("state", AttemptState.class),
                        fields.number("base_snapshot_id"),
                        fields.numberOrNull("staged_snapshot_id"),
                        fields.textOrNull("evidence")),
                fields.number("version"));
    }
}
