package io.weir.ledger.database;

import io.weir.ledger.outside.OutsideBooks;
import io.weir.ledger.outside.OutsideReplies.Claimed;
import io.weir.ledger.outside.OutsideReplies.Reported;
import io.weir.ledger.outside.OutsideTransactions;

import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

import java.util.Collections;
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
    public List<Optional<Reported>> report(String action, List<Report> reports) {
        return transactions
                .ifUsual(
                        action,
                        handle -> Optional.of(
                                new OutsideAdvance(handle.getConnection()).report(reports)))
                .orElseGet(() -> Collections.nCopies(reports.size(), Optional.empty()));
    }

    @Override
    public List<Optional<Claimed>> claim(String action, List<Claim> claims) {
        return transactions
                .ifUsual(
                        action,
                        handle -> Optional.of(
                                new OutsideAdvance(handle.getConnection()).claim(claims)))
                .orElseGet(() -> Collections.nCopies(claims.size(), Optional.empty()));
    }
}
