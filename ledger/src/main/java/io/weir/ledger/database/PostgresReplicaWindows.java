package io.weir.ledger.database;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.RunId;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.publish.PublishCommand;
import io.weir.ledger.publish.PublishMachine;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaMachine;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.WindowFigures;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Windows: publish attempts with the machine of all attempts and the epochs of all targets. */
final class PostgresReplicaWindows {
    private final PostgresTransactions transactions;

    PostgresReplicaWindows(PostgresTransactions transactions) {
        this.transactions = transactions;
    }

    private <T> T run(String action, Function<Handle, T> work) {
        return transactions.inTransaction(action, TransactionIsolationLevel.READ_COMMITTED, work);
    }

    ReplicaWindow open(
            Hold hold, String table, LogPlace to, RunId id, UUID token, long baseSnapshotId) {
        return run("open a window of table " + table, handle -> {
            PostgresReplicaStore store = new PostgresReplicaStore(handle);
            store.lock(hold);
            Replica row = store.lock(hold.job(), table);
            LogPlace from = row.verified();
            if (from == null) {
                throw ReplicaMachine.advance(row, to)
                        .match(new Decision.Cases<Replica, WeirException>(
                                move -> PostgresReplicaStore.unknown(table),
                                renew -> PostgresReplicaStore.unknown(table),
                                done -> PostgresReplicaStore.unknown(table),
                                Decision.Refuse::exception));
            }
            long epoch = epoch(handle, row.target());
            return store.add(new ReplicaWindow(
                    new PublishAttempt(
                            row.target(),
                            epoch,
                            id,
                            token,
                            AttemptState.STAGED,
                            baseSnapshotId,
                            null,
                            null),
                    1,
                    hold.job(),
                    table,
                    hold.epoch(),
                    from,
                    to,
                    null,
                    store.now(),
                    null));
        });
    }

    /** Those of a table whose end is open. */
    List<ReplicaWindow> unsettled(String job, String table) {
        return run(
                "read the windows of table " + table,
                handle -> handle.createQuery(PostgresReplicaSql.UNSETTLED)
                        .bind("job", job)
                        .bind("source_table", table)
                        .map((rows, context) -> PostgresReplicaRows.window(rows))
                        .list());
    }

    /** The newest of a job, newest first. */
    List<ReplicaWindow> newest(String job, int most) {
        return run(
                "read the windows of job " + job,
                handle -> handle.createQuery(PostgresReplicaSql.WINDOWS)
                        .bind("job", job)
                        .bind("most", most)
                        .map((rows, context) -> PostgresReplicaRows.window(rows))
                        .list());
    }

    private static long epoch(Handle handle, String target) {
        PostgresTargetStore targets = new PostgresTargetStore(handle);
        targets.lock(target);
        List<UUID> busy = handle.createQuery(PostgresReplicaSql.BUSY)
                .bind("target", target)
                .mapTo(UUID.class)
                .list();
        if (!busy.isEmpty()) {
            throw new WeirException(
                    ErrorCode.TARGET_BUSY,
                    "Cannot open a window of " + target + ": another publish is under way or its"
                            + " end unknown (run=" + busy.get(0) + ")");
        }
        return targets.nextEpoch(target);
    }

    ReplicaWindow staged(Hold hold, ReplicaWindow window, long snapshotId, WindowFigures figures) {
        ReplicaWindow after = move(
                hold,
                window,
                new PublishCommand.Stage(window.attempt().token(), snapshotId),
                figures);
        if (!figures.isBalanced()) {
            String reason = "the balances do not add up (opening=" + figures.opening()
                    + ", removed=" + figures.removed() + ", appended=" + figures.appended()
                    + ", closing=" + figures.closing() + ", before=" + figures.before()
                    + ", after=" + figures.after() + ")";
            abandoned(hold, after, reason);
            throw new WeirException(
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot accept the window of table " + window.table() + " up to "
                            + window.to().position() + ": " + reason);
        }
        return after;
    }

    ReplicaWindow publishing(Hold hold, ReplicaWindow window) {
        return move(hold, window, new PublishCommand.Open(window.attempt().token()), null);
    }

    ReplicaWindow settled(
            Hold hold, ReplicaWindow window, PublishOutcome outcome, String evidence) {
        return move(
                hold,
                window,
                new PublishCommand.Settle(window.attempt().token(), outcome, evidence),
                null);
    }

    ReplicaWindow abandoned(Hold hold, ReplicaWindow window, String reason) {
        return move(hold, window, new PublishCommand.Abandon(reason), null);
    }

    private ReplicaWindow move(
            Hold hold,
            ReplicaWindow window,
            PublishCommand command,
            @Nullable WindowFigures figures) {
        return run("move a window of table " + window.table(), handle -> {
            PostgresReplicaStore store = new PostgresReplicaStore(handle);
            store.lock(hold);
            Replica replica = store.lock(window.job(), window.table());
            ReplicaWindow row = store.lock(window);
            Decision<AttemptRow> decision =
                    PublishMachine.decide(new AttemptRow(row.attempt(), row.version()), command);
            return decision.match(new Decision.Cases<>(
                    made -> moved(store, replica, row, made, figures),
                    renew -> row,
                    done -> row,
                    refuse -> {
                        throw refuse.exception();
                    }));
        });
    }

    /** A window that is published takes its table along, in the same transaction. */
    private static ReplicaWindow moved(
            PostgresReplicaStore store,
            Replica replica,
            ReplicaWindow row,
            Decision.Move<AttemptRow> made,
            @Nullable WindowFigures figures) {
        PublishAttempt attempt = made.next().attempt();
        boolean ended =
                attempt.state() == AttemptState.PUBLISHED || attempt.state() == AttemptState.FAILED;
        ReplicaWindow after = new ReplicaWindow(
                attempt,
                made.next().version(),
                row.job(),
                row.table(),
                row.jobEpoch(),
                row.from(),
                row.to(),
                figures == null ? row.figures() : figures,
                row.openedAt(),
                ended ? store.now() : null);
        if (attempt.state() == AttemptState.PUBLISHED) {
            store.apply(replica, ReplicaMachine.advance(replica, row.to()), null);
        }
        return store.change(row, after, made.event().replace("ATTEMPT", "WINDOW"));
    }
}
