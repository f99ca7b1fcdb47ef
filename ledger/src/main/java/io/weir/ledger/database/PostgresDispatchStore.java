package io.weir.ledger.database;

import io.weir.core.run.Dispatch;
import io.weir.core.run.RunId;
import io.weir.ledger.dispatch.DispatchColumns;
import io.weir.ledger.dispatch.DispatchStore;
import io.weir.ledger.event.RowChange;

import org.jdbi.v3.core.Handle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements on the outbox. */
final class PostgresDispatchStore implements DispatchStore {
    static final String INSERT = """
            insert into weir.dispatch (
                id, run_id, kind, cycle, state, attempts, created_at, acknowledged_at)
            values (
                :id, :run_id, :kind, :cycle, :state, :attempts, :created_at, :acknowledged_at)
            """;

    static final String LOCK = """
            select * from weir.dispatch where id = :id and run_id = :run_id for update
            """;

    static final String UPDATE = """
            update weir.dispatch
            set state = :state, attempts = :attempts, acknowledged_at = :acknowledged_at
            where id = :id and state = :state_before
            """;

    static final String OF_RUN = """
            select * from weir.dispatch where run_id = :run_id order by kind, cycle
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
                .execute();
        return count == 1 ? Optional.of(DispatchColumns.changed(before, after)) : Optional.empty();
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
                fields.instantOrNull("acknowledged_at"));
    }
}
