package io.weir.ledger.database;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.run.Operator;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.Replication;
import io.weir.ledger.sql.Columns;

import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.OffsetDateTime;

/** The tables of replication inside one transaction: each change is one guarded update. */
final class PostgresReplicaStore {
    private final Handle handle;

    PostgresReplicaStore(Handle handle) {
        this.handle = handle;
    }

    Instant now() {
        return handle.createQuery(PostgresReplicaSql.NOW)
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant();
    }

    Replication lock(String job) {
        return handle.createQuery(PostgresReplicaSql.LOCK_REPLICATION)
                .bind("job", job)
                .map((rows, context) -> PostgresReplicaRows.replication(rows))
                .findOne()
                .orElseThrow(() -> unknown("job " + job));
    }

    /** The job, if the hold is still its last claim. */
    Replication lock(Hold hold) {
        Replication row = lock(hold.job());
        if (!hold.token().equals(row.token()) || hold.epoch() != row.epoch()) {
            throw new WeirException(
                    ErrorCode.REPLICATION_BUSY,
                    "Cannot go on with job " + hold.job() + ": another process has it (owner="
                            + row.owner() + ", epoch=" + row.epoch() + ", claimed=" + hold.epoch()
                            + ")");
        }
        return row;
    }

    Replica lock(String job, String table) {
        return handle.createQuery(PostgresReplicaSql.LOCK_REPLICA)
                .bind("job", job)
                .bind("source_table", table)
                .map((rows, context) -> PostgresReplicaRows.replica(rows))
                .findOne()
                .orElseThrow(() -> unknown("table " + table + " of job " + job));
    }

    boolean isAllKeysDue(String job, String table) {
        return handle.createQuery(PostgresReplicaSql.ALL_KEYS_DUE)
                .bind("job", job)
                .bind("source_table", table)
                .mapTo(Boolean.class)
                .one();
    }

    static WeirException unknown(String what) {
        return new WeirException(
                ErrorCode.REPLICATION_NOT_FOUND, "Cannot find " + what + ": it is not replicated");
    }

    Replication apply(
            Replication before, Decision<Replication> decision, @Nullable Operator operator) {
        return decision.match(new Decision.Cases<>(
                move -> {
                    update(
                            PostgresReplicaSql.UPDATE_REPLICATION,
                            PostgresReplicaRows.columns(move.next()),
                            before.version());
                    event(
                            before.job(),
                            null,
                            move.event(),
                            operator,
                            PostgresReplicaRows.columns(move.next()),
                            PostgresReplicaRows.columns(before));
                    return move.next();
                },
                renew -> {
                    update(
                            PostgresReplicaSql.UPDATE_REPLICATION,
                            PostgresReplicaRows.columns(renew.next()),
                            before.version());
                    return renew.next();
                },
                Decision.AlreadyDone::row,
                refuse -> {
                    throw refuse.exception();
                }));
    }

    Replica apply(Replica before, Decision<Replica> decision, @Nullable Operator operator) {
        return decision.match(new Decision.Cases<>(
                move -> {
                    update(
                            PostgresReplicaSql.UPDATE_REPLICA,
                            PostgresReplicaRows.columns(move.next()),
                            before.version());
                    event(
                            before.job(),
                            before.table(),
                            move.event(),
                            operator,
                            PostgresReplicaRows.columns(move.next()),
                            PostgresReplicaRows.columns(before));
                    return move.next();
                },
                Decision.Renew::next,
                Decision.AlreadyDone::row,
                refuse -> {
                    throw refuse.exception();
                }));
    }

    ReplicaWindow add(ReplicaWindow window) {
        Columns columns = PostgresReplicaRows.columns(window);
        handle.createUpdate(PostgresReplicaSql.ADD_WINDOW)
                .bindMap(columns.bindings())
                .execute();
        event(window.job(), window.table(), "WINDOW_OPENED", null, columns, null);
        return window;
    }

    ReplicaWindow change(ReplicaWindow before, ReplicaWindow after, String event) {
        Columns columns = PostgresReplicaRows.columns(after);
        update(PostgresReplicaSql.UPDATE_WINDOW, columns, before.version());
        event(
                before.job(),
                before.table(),
                event,
                null,
                columns,
                PostgresReplicaRows.columns(before));
        return after;
    }

    ReplicaWindow lock(ReplicaWindow window) {
        return handle.createQuery(PostgresReplicaSql.LOCK_WINDOW)
                .bind("target", window.attempt().target())
                .bind("epoch", window.attempt().epoch())
                .map((rows, context) -> PostgresReplicaRows.window(rows))
                .one();
    }

    private void update(String sql, Columns columns, long versionBefore) {
        int count = handle.createUpdate(sql)
                .bindMap(columns.bindings())
                .bind("version_before", versionBefore)
                .execute();
        if (count != 1) {
            throw new WeirException(
                    ErrorCode.LEDGER_INVARIANT,
                    "Cannot change a locked row of replication: it moved (rows=" + count + ")");
        }
    }

    void event(
            String job,
            @Nullable String table,
            String name,
            @Nullable Operator operator,
            Columns after,
            @Nullable Columns before) {
        handle.createUpdate(PostgresReplicaSql.ADD_EVENT)
                .bind("job", job)
                .bind("source_table", table)
                .bind("name", name)
                .bind("operator", operator == null ? null : operator.name())
                .bind("reason", operator == null ? null : operator.reason())
                .bind("details", Json.line(after.difference(before)))
                .execute();
    }
}
