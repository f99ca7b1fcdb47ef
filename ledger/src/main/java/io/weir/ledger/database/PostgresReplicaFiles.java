package io.weir.ledger.database;

import io.weir.ledger.replica.ReplicaBooks.Hold;
import io.weir.ledger.replica.TakenFile;
import io.weir.ledger.sql.Columns;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

import java.util.List;
import java.util.function.Function;

/** The files of outside logs in PostgreSQL. */
final class PostgresReplicaFiles {
    private static final String JOB = "job";
    private static final String TABLE = "source_table";
    private static final String GENERATION = "generation";

    private final PostgresTransactions transactions;

    PostgresReplicaFiles(PostgresTransactions transactions) {
        this.transactions = transactions;
    }

    private <T> T run(String action, Function<Handle, T> work) {
        return transactions.inTransaction(action, TransactionIsolationLevel.READ_COMMITTED, work);
    }

    void take(Hold hold, String table, int generation, List<TakenFile> files) {
        run("enter files of table " + table, handle -> {
            PostgresReplicaStore store = new PostgresReplicaStore(handle);
            store.lock(hold);
            PreparedBatch batch = handle.prepareBatch(PostgresReplicaSql.ADD_FILE);
            for (TakenFile file : files) {
                batch.bindMap(PostgresReplicaRows.columns(file).bindings())
                        .bind(JOB, hold.job())
                        .bind(TABLE, table)
                        .bind(GENERATION, generation)
                        .add();
            }
            int[] added = batch.execute();
            store.event(hold.job(), table, "FILES_TAKEN", null, told(generation, files), null);
            return added.length;
        });
    }

    /** What the event says; each file is in its own row, which never changes. */
    private static Columns told(int generation, List<TakenFile> files) {
        return new Columns()
                .set(GENERATION, generation)
                .set("files", files.size())
                .set("rows", files.stream().mapToLong(TakenFile::rows).sum())
                .set("bytes", files.stream().mapToLong(TakenFile::bytes).sum());
    }

    List<TakenFile> taken(String job, String table, int generation) {
        return run(
                "read the files of table " + table,
                handle -> handle.createQuery(PostgresReplicaSql.FILES)
                        .bind(JOB, job)
                        .bind(TABLE, table)
                        .bind(GENERATION, generation)
                        .map((rows, context) -> PostgresReplicaRows.file(rows))
                        .list());
    }
}
