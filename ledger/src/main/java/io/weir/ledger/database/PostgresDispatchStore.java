package io.weir.ledger.database;

import io.weir.core.run.Dispatch;
import io.weir.core.run.RunId;
import io.weir.ledger.dispatch.DispatchColumns;
import io.weir.ledger.dispatch.DispatchStore;
import io.weir.ledger.event.RowChange;

import org.jdbi.v3.core.Handle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements on the outbox. */
final class PostgresDispatchStore implements DispatchStore {
    static final String INSERT = """
            insert into weir.dispatch (
                id, run_id, kind, cycle, state, attempts, created_at, due_at, sent_at,
                acknowledged_at, last_error)
            values (
                :id, :run_id, :kind, :cycle, :state, :attempts, :created_at, :due_at, :sent_at,
                :acknowledged_at, :last_error)
            """;

    static final String LOCK = """
            select * from weir.dispatch where id = :id and run_id = :run_id for update
            """;

    static final String UPDATE = """
            update weir.dispatch
            set state = :state,
                attempts = :attempts,
                due_at = :due_at,
                sent_at = :sent_at,
                acknowledged_at = :acknowledged_at,
                last_error = :last_error
            where id = :id and state = :state_before and attempts = :attempts_before
            """;

    static final String LOCK_DUE = """
            select *
            from weir.dispatch
            where state = 'PENDING' and due_at <= :now
            order by due_at
            limit :most
            for update skip locked
            """;

    static final String LOCK_OPEN = """
            select *
            from weir.dispatch
            where run_id = :run_id and state in ('PENDING', 'SENT')
            for update
            """;

    static final String OF_RUN = """
            select * from weir.dispatch where run_id = :run_id order by created_at, kind, cycle
            """;

    private final Handle handle;

    PostgresDispatchStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public RowChange insert(Dispatch dispatch) {
        handle.createUpdate(INSERT)
                .bindMap(DispatchColumns.of(dispatch).bindings())
                .execute();
        return DispatchColumns.added(dispatch);
    }

    @Override
    public Optional<Dispatch> lock(RunId runId, UUID id) {
        return handle.createQuery(LOCK)
                .bind("run_id", runId.value())
                .bind("id", id)
                .map((rows, context) -> read(rows))
                .findOne();
    }

    @Override
    public Optional<RowChange> update(Dispatch before, Dispatch after) {
        int count = handle.createUpdate(UPDATE)
                .bindMap(DispatchColumns.of(after).bindings())
                .bind("state_before", before.state().name())
                .bind("attempts_before", before.attempts())
                .execute();
        return count == 1 ? Optional.of(DispatchColumns.changed(before, after)) : Optional.empty();
    }

    @Override
    public List<Dispatch> lockDue(Instant now, int most) {
        return handle.createQuery(LOCK_DUE)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("most", most)
                .map((rows, context) -> read(rows))
                .list();
    }

    @Override
    public List<Dispatch> lockOpen(RunId runId) {
        return handle.createQuery(LOCK_OPEN)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
    }

    @Override
    public List<Dispatch> ofRun(RunId runId) {
        return handle.createQuery(OF_RUN)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
    }

    private static Dispatch read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new Dispatch(
                fields.uuid("id"),
                new RunId(fields.uuid("run_id")),
                fields.constant("kind", Dispatch.Kind.class),
                fields.count("cycle"),
                fields.constant("state", Dispatch.DispatchState.class),
                fields.count("attempts"),
                fields.instant("created_at"),
                fields.instant("due_at"),
                fields.instantOrNull("sent_at"),
                fields.instantOrNull("acknowledged_at"),
                fields.textOrNull("last_error"));
    }
}
