package io.weir.ledger.database;

import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.outside.OutsideBooks;
import io.weir.ledger.outside.OutsideReplies.Claimed;
import io.weir.ledger.outside.OutsideReplies.Reported;
import io.weir.ledger.outside.OutsideRequests.Chunk;
import io.weir.ledger.outside.OutsideTransactions;

import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Work on the tables of outside runs in PostgreSQL. */
final class PostgresOutsideTransactions implements OutsideTransactions {
    private final PostgresTransactions transactions;

    PostgresOutsideTransactions(PostgresTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public <T> T run(String action, Function<OutsideBooks, T> work) {
        return transactions.inTransaction(
                action,
                TransactionIsolationLevel.READ_COMMITTED,
                handle -> work.apply(new PostgresOutsideBooks(handle)));
    }

    @Override
    public Optional<Reported> report(
            String action,
            RunId runId,
            PartitionId id,
            String tokenDigest,
            @Nullable Long epoch,
            int total,
            List<Chunk> chunks) {
        return transactions.ifUsual(
                action,
                handle -> new OutsideAdvance(handle.getConnection())
                        .report(runId, id, tokenDigest, epoch, total, chunks));
    }

    @Override
    public Optional<Claimed> claim(
            String action,
            RunId runId,
            PartitionId id,
            String tokenDigest,
            String worker,
            long leaseMillis) {
        return transactions.ifUsual(
                action,
                handle -> new OutsideAdvance(handle.getConnection())
                        .claim(runId, id, tokenDigest, worker, leaseMillis));
    }
}
