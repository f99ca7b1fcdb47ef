package io.weir.ledger.dispatch;

import io.weir.core.run.Dispatch;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;
import io.weir.ledger.sql.Fields;

import org.jdbi.v3.core.Handle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Statements on the outbox. */
public final class DispatchStore {
    static final String INSERT = """
            insert into weir.dispatch (
                id, run_id, kind, cycle, state, attempts, created_at, acknowledged_at)
            values (
                :id, :run_id, :kind, :cycle, :state, :attempts, :created_at, :acknowledged_at)
            """;

    static final String LOCK = """
            select * from weir.dispatch where id = :id and run_id = :run_id for update
            """;

    static final String ACKNOWLEDGE = """
            update weir.dispatch
            set state = 'ACKED', acknowledged_at = :acknowledged_at
            where id = :id and state = :state_before
            """;

    static final String OF_RUN = """
            select * from weir.dispatch where run_id = :run_id order by kind, cycle
            """;

    private final Handle handle;

    public DispatchStore(Handle handle) {
        this.handle = handle;
    }

    public RowChange insert(Dispatch dispatch) {
        Columns columns = columns(dispatch);
        handle.createUpdate(INSERT).bindMap(columns.bindings()).execute();
        return new RowChange(name(dispatch), columns.difference(null));
    }

    public Optional<Dispatch> lock(RunId runId, UUID id) {
        return handle.createQuery(LOCK)
                .bind("run_id", runId.value())
                .bind("id", id)
                .map((rows, context) -> read(rows))
                .findOne();
    }

    /** Acknowledgement wins over every other state and is final; empty if it was done before. */
    public Optional<RowChange> acknowledge(Dispatch dispatch, Instant now) {
        if (dispatch.state() == Dispatch.DispatchState.ACKED) {
            return Optional.empty();
        }
        Dispatch acknowledged = new Dispatch(
                dispatch.id(),
                dispatch.runId(),
                dispatch.kind(),
                dispatch.cycle(),
                Dispatch.DispatchState.ACKED,
                dispatch.attempts(),
                dispatch.createdAt(),
                now);
        handle.createUpdate(ACKNOWLEDGE)
                .bind("id", dispatch.id())
                .bind("state_before", dispatch.state().name())
                .bind("acknowledged_at", now.atOffset(ZoneOffset.UTC))
                .execute();
        return Optional.of(
                new RowChange(name(dispatch), columns(acknowledged).difference(columns(dispatch))));
    }

    public List<Dispatch> ofRun(RunId runId) {
        return handle.createQuery(OF_RUN)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
    }

    private static String name(Dispatch dispatch) {
        return "dispatch/" + dispatch.kind() + "/" + dispatch.cycle();
    }

    private static Columns columns(Dispatch dispatch) {
        return new Columns()
                .set("id", dispatch.id())
                .set("run_id", dispatch.runId().value())
                .set("kind", dispatch.kind().name())
                .set("cycle", dispatch.cycle())
                .set("state", dispatch.state().name())
                .set("attempts", dispatch.attempts())
                .set("created_at", dispatch.createdAt())
                .set("acknowledged_at", dispatch.acknowledgedAt());
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
