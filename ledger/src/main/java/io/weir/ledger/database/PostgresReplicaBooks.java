package io.weir.ledger.database;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Operator;
import io.weir.core.run.RunId;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.ledger.replica.ReplicaCut;
import io.weir.ledger.replica.ReplicaEvent;
import io.weir.ledger.replica.ReplicaMachine;
import io.weir.ledger.replica.ReplicaWindow;
import io.weir.ledger.replica.Replication;
import io.weir.ledger.replica.ReplicationMachine;
import io.weir.ledger.replica.Stop;
import io.weir.ledger.replica.TakenFile;
import io.weir.ledger.replica.WindowFigures;
import io.weir.ledger.sql.Columns;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The books of replication in PostgreSQL. */
final class PostgresReplicaBooks implements ReplicaBooks {
    private static final String JOB = "job";
    private static final String MOST = "most";

    private final PostgresTransactions transactions;
    private final PostgresReplicaWindows windows;
    private final PostgresReplicaCuts cuts;
    private final PostgresReplicaFiles files;

    PostgresReplicaBooks(PostgresTransactions transactions) {
        this.transactions = transactions;
        this.windows = new PostgresReplicaWindows(transactions);
        this.cuts = new PostgresReplicaCuts(transactions);
        this.files = new PostgresReplicaFiles(transactions);
    }

    private <T> T run(String action, Function<Handle, T> work) {
        return transactions.inTransaction(action, TransactionIsolationLevel.READ_COMMITTED, work);
    }

    private <T> T inStore(String action, Function<PostgresReplicaStore, T> work) {
        return run(action, handle -> work.apply(new PostgresReplicaStore(handle)));
    }

    @Override
    public Hold claim(
            String job,
            String source,
            String slot,
            Map<String, String> tables,
            UUID token,
            String owner,
            Duration lease) {
        return run("claim job " + job, handle -> {
            PostgresReplicaStore store = new PostgresReplicaStore(handle);
            enter(handle, store, Replication.created(job, source, slot));
            Replication row = store.lock(job);
            same("source of job " + job, row.source(), source);
            same("slot of job " + job, row.slot(), slot);
            Replication claimed = store.apply(
                    row, ReplicationMachine.claim(row, token, owner, lease, store.now()), null);
            tables.forEach((table, target) -> {
                enter(handle, store, Replica.created(job, table, target));
                same("target of table " + table, store.lock(job, table).target(), target);
            });
            return new Hold(job, token, claimed.epoch());
        });
    }

    private static void enter(Handle handle, PostgresReplicaStore store, Replication row) {
        Columns columns = PostgresReplicaRows.columns(row);
        if (handle.createUpdate(PostgresReplicaSql.ADD_REPLICATION)
                        .bindMap(columns.bindings())
                        .execute()
                == 1) {
            store.event(row.job(), null, "REPLICATION_CREATED", null, columns, null);
        }
    }

    private static void enter(Handle handle, PostgresReplicaStore store, Replica row) {
        Columns columns = PostgresReplicaRows.columns(row);
        if (handle.createUpdate(PostgresReplicaSql.ADD_REPLICA)
                        .bindMap(columns.bindings())
                        .execute()
                == 1) {
            store.event(row.job(), row.table(), "REPLICA_CREATED", null, columns, null);
        }
    }

    private static void same(String what, String known, String given) {
        if (!known.equals(given)) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot change the " + what + ": it is replicated already (known=" + known
                            + ", given=" + given + ")");
        }
    }

    @Override
    public void sign(Hold hold, Duration lease) {
        onJob(
                "sign for",
                hold,
                (row, now) -> ReplicationMachine.sign(row, hold.token(), lease, now));
    }

    @Override
    public void release(Hold hold) {
        inStore("release job " + hold.job(), store -> {
            Replication row = store.lock(hold.job());
            return store.apply(row, ReplicationMachine.release(row, hold.token()), null);
        });
    }

    @Override
    public Replication stopped(Hold hold, Stop stop) {
        return onJob("stop", hold, (row, now) -> ReplicationMachine.stop(row, hold.token(), stop));
    }

    @Override
    public Replication begin(Hold hold, @Nullable LogPlace place) {
        return onJob(
                "begin", hold, (row, now) -> ReplicationMachine.begin(row, hold.token(), place));
    }

    @Override
    public Replication captured(Hold hold, LogPlace place) {
        return onJob(
                "capture",
                hold,
                (row, now) -> ReplicationMachine.capture(row, hold.token(), place));
    }

    private Replication onJob(
            String verb,
            Hold hold,
            BiFunction<Replication, Instant, Decision<Replication>> decide) {
        return inStore(verb + " job " + hold.job(), store -> {
            Replication row = store.lock(hold);
            return store.apply(row, decide.apply(row, store.now()), null);
        });
    }

    @Override
    public Replication pause(String job, Operator operator) {
        return inStore("pause job " + job, store -> {
            Replication row = store.lock(job);
            return store.apply(row, ReplicationMachine.pause(row), operator);
        });
    }

    @Override
    public Replication resume(String job, Operator operator) {
        return inStore("resume job " + job, store -> {
            Replication row = store.lock(job);
            return store.apply(row, ReplicationMachine.resume(row), operator);
        });
    }

    @Override
    public Replication replication(String job) {
        return run(
                "read job " + job,
                handle -> handle.createQuery(PostgresReplicaSql.REPLICATION)
                        .bind(JOB, job)
                        .map((rows, context) -> PostgresReplicaRows.replication(rows))
                        .findOne()
                        .orElseThrow(() -> PostgresReplicaStore.unknown("job " + job)));
    }

    @Override
    public List<Replication> replications() {
        return run(
                "list replicated jobs",
                handle -> handle.createQuery(PostgresReplicaSql.REPLICATIONS)
                        .map((rows, context) -> PostgresReplicaRows.replication(rows))
                        .list());
    }

    @Override
    public List<Replica> replicas(String job) {
        return run(
                "list the tables of job " + job,
                handle -> handle.createQuery(PostgresReplicaSql.REPLICAS)
                        .bind(JOB, job)
                        .map((rows, context) -> PostgresReplicaRows.replica(rows))
                        .list());
    }

    @Override
    public Replica replica(String name) {
        List<Replica> found = run(
                "find table " + name,
                handle -> handle.createQuery(PostgresReplicaSql.NAMED_REPLICA)
                        .bind("name", name)
                        .map((rows, context) -> PostgresReplicaRows.replica(rows))
                        .list());
        if (found.isEmpty()) {
            throw PostgresReplicaStore.unknown("table " + name);
        }
        if (found.size() > 1) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot tell which table " + name + " is meant: "
                            + String.join(
                                    ", ", found.stream().map(Replica::target).toList())
                            + "; name the one in the lake");
        }
        return found.get(0);
    }

    @Override
    public Instant now() {
        return inStore("read the clock", PostgresReplicaStore::now);
    }

    @Override
    public Replica loaded(Hold hold, String table, LogPlace at, @Nullable RunId run) {
        return onTable("load", hold, table, (row, now) -> ReplicaMachine.loaded(row, at, run));
    }

    @Override
    public Replica advanced(Hold hold, String table, LogPlace to) {
        return onTable("advance", hold, table, (row, now) -> ReplicaMachine.advance(row, to));
    }

    @Override
    public Replica failed(Hold hold, String table, String message, double jitter) {
        return onTable(
                "fail", hold, table, (row, now) -> ReplicaMachine.fail(row, message, jitter, now));
    }

    @Override
    public Replica stopped(Hold hold, String table, Stop stop) {
        return onTable("stop", hold, table, (row, now) -> ReplicaMachine.stop(row, stop));
    }

    @Override
    public Replica ended(Hold hold, String table, LogPlace at, Stop stop) {
        return onTable("end", hold, table, (row, now) -> ReplicaMachine.end(row, at, stop));
    }

    @Override
    public Replica looked(Hold hold, String table) {
        return onTable("look at", hold, table, (row, now) -> ReplicaMachine.look(row));
    }

    @Override
    public Replica rewritten(Hold hold, String table) {
        return onTable("accept files of", hold, table, (row, now) -> ReplicaMachine.rewrite(row));
    }

    @Override
    public Replica grown(Hold hold, String table, LogPlace at) {
        return onTable("grow", hold, table, (row, now) -> ReplicaMachine.grow(row, at));
    }

    @Override
    public boolean late(Hold hold, String table, @Nullable Instant current, Duration max) {
        return run(
                "time " + table,
                handle -> PostgresLateness.enter(handle, hold, table, current, max));
    }

    private Replica onTable(
            String verb,
            Hold hold,
            String table,
            BiFunction<Replica, Instant, Decision<Replica>> decide) {
        return inStore(verb + " table " + table, store -> {
            store.lock(hold);
            Replica row = store.lock(hold.job(), table);
            return store.apply(row, decide.apply(row, store.now()), null);
        });
    }

    @Override
    public Replica resumed(String job, String table, Operator operator) {
        return asWished("continue", job, table, operator, ReplicaMachine::resume);
    }

    @Override
    public Replica rebuild(String job, String table, Operator operator) {
        return asWished("rebuild", job, table, operator, ReplicaMachine::rebuild);
    }

    @Override
    public Replica rolledBack(String job, String table, LogPlace to, Operator operator) {
        return asWished("roll back", job, table, operator, row -> ReplicaMachine.rollBack(row, to));
    }

    private Replica asWished(
            String verb,
            String job,
            String table,
            Operator operator,
            Function<Replica, Decision<Replica>> decide) {
        return inStore(verb + " table " + table, store -> {
            store.lock(job);
            Replica row = store.lock(job, table);
            return store.apply(row, decide.apply(row), operator);
        });
    }

    @Override
    public boolean isAllKeysDue(String job, String table) {
        return inStore(
                "look at the windows of table " + table, store -> store.isAllKeysDue(job, table));
    }

    @Override
    public ReplicaWindow openWindow(
            Hold hold, String table, LogPlace to, RunId id, UUID token, long baseSnapshotId) {
        return windows.open(hold, table, to, id, token, baseSnapshotId);
    }

    @Override
    public ReplicaWindow staged(
            Hold hold, ReplicaWindow window, long snapshotId, WindowFigures figures) {
        return windows.staged(hold, window, snapshotId, figures);
    }

    @Override
    public ReplicaWindow publishing(Hold hold, ReplicaWindow window) {
        return windows.publishing(hold, window);
    }

    @Override
    public ReplicaWindow settled(
            Hold hold, ReplicaWindow window, PublishOutcome outcome, String evidence) {
        return windows.settled(hold, window, outcome, evidence);
    }

    @Override
    public ReplicaWindow abandoned(Hold hold, ReplicaWindow window, String reason) {
        return windows.abandoned(hold, window, reason);
    }

    @Override
    public List<ReplicaWindow> unsettled(String job, String table) {
        return windows.unsettled(job, table);
    }

    @Override
    public List<ReplicaWindow> windows(String job, int most) {
        return windows.newest(job, most);
    }

    @Override
    public void take(Hold hold, String table, int generation, List<TakenFile> files) {
        this.files.take(hold, table, generation, files);
    }

    @Override
    public List<TakenFile> taken(String job, String table, int generation) {
        return files.taken(job, table, generation);
    }

    @Override
    public ReplicaCut openCut(Hold hold, LogPlace at, int tables) {
        return cuts.open(hold, at, tables);
    }

    @Override
    public ReplicaCut closeCut(Hold hold, ReplicaCut cut, List<String> missing) {
        return cuts.close(hold, cut, missing);
    }

    @Override
    public Optional<ReplicaCut> lastCut(String job) {
        return cuts.last(job);
    }

    @Override
    public List<ReplicaEvent> events(String job, int most) {
        return run(
                "read the events of job " + job,
                handle -> handle.createQuery(PostgresReplicaSql.EVENTS)
                        .bind(JOB, job)
                        .bind(MOST, most)
                        .map((rows, context) -> PostgresReplicaRows.event(rows))
                        .list());
    }
}
