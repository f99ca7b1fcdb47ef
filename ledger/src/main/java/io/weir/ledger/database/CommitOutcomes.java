package io.weir.ledger.database;

import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Asks the server what became of a transaction, on another connection. */
final class CommitOutcomes {
    /** Null for a transaction that wrote nothing. */
    static final String TRANSACTION_ID = """
            select cast(pg_current_xact_id_if_assigned() as text)
            """;

    static final String STATUS = """
            select pg_xact_status(cast(:id as xid8))
            """;

    private static final int TRIES_MAX = 50;
    private static final long PAUSE_NANOS = 100_000_000;

    private final Jdbi jdbi;

    CommitOutcomes(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    CommitOutcome of(String transactionId) {
        for (int i = 0; i < TRIES_MAX; i++) {
            Optional<String> status;
            try {
                status = jdbi.withHandle(handle -> handle.createQuery(STATUS)
                        .bind("id", transactionId)
                        .mapTo(String.class)
                        .findOne());
            } catch (JdbiException e) {
                return CommitOutcome.UNKNOWN;
            }
            if (status.isEmpty()) {
                return CommitOutcome.UNKNOWN;
            }
            switch (status.get()) {
                case "committed" -> {
                    return CommitOutcome.COMMITTED;
                }
                case "aborted" -> {
                    return CommitOutcome.ABORTED;
                }
                // The session has not noticed yet that its client is gone.
                default -> LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return CommitOutcome.UNKNOWN;
    }
}
