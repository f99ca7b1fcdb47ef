package io.weir.ledger.database;

import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.ReplicaCut;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Cuts: all tables of a job at one place. */
final class PostgresReplicaCuts {
    private static final String JOB = "job";

    private final PostgresTransactions transactions;

    PostgresReplicaCuts(PostgresTransactions transactions) {
        this.transactions = transactions;
    }

    private <T> T run(String action, Function<Handle, T> work) {
        return transactions.inTransaction(action, TransactionIsolationLevel.READ_COMMITTED, work);
    }

    ReplicaCut open(Hold hold, LogPlace at, int tables) {
        return run("open a cut of job " + hold.job(), handle -> {
            new PostgresReplicaStore(handle).lock(hold);
            return handle.createQuery(PostgresReplicaSql.ADD_CUT)
                    .bind(JOB, hold.job())
                    .bind("place", at.place())
                    .bind("position", at.position())
                    .bind("tables", tables)
                    .map((rows, context) -> PostgresReplicaRows.cut(rows))
                    .one();
        });
    }

    ReplicaCut close(Hold hold, ReplicaCut cut, List<String> missing) {
        return run("close cut " + cut.number() + " of job " + hold.job(), handle -> {
            new PostgresReplicaStore(handle).lock(hold);
            return handle.createQuery(PostgresReplicaSql.CLOSE_CUT)
                    .bind(JOB, hold.job())
                    .bind("number", cut.number())
                    .bind("missing", missing.toArray(String[]::new))
                    .map((rows, context) -> PostgresReplicaRows.cut(rows))
                    .findOne()
                    .orElse(cut);
        });
    }

    Optional<ReplicaCut> last(String job) {
        return run(
                "read the cuts of job " + job,
                handle -> handle.createQuery(PostgresReplicaSql.LAST_CUT)
                        .bind(JOB, job)
                        .map((rows, context) -> PostgresReplicaRows.cut(rows))
                        .findOne());
    }
}
