package io.weir.ledger.database;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.RunId;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Claimed;
import io.weir.ledger.books.PartitionMove;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.partition.PartitionKey;
import io.weir.ledger.partition.SeenPartition;
import io.weir.ledger.watch.LedgerWatch;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/** Transactions of PostgreSQL. */
final class PostgresTransactions implements Transactions {
    /** The first one included. */
    private static final int ATTEMPTS_MAX = 3;

    private static final long PAUSE_NANOS = 20_000_000;
    private static final Set<String> SMALL_WORDS = Set.of("a", "the", "to");

    static final String REPEATABLE_READ = """
            set transaction isolation level repeatable read
            """;

    private final Jdbi jdbi;
    private final Supplier<LedgerWatch> watch;

    PostgresTransactions(Jdbi jdbi) {
        this(jdbi, () -> LedgerWatch.NOBODY);
    }

    PostgresTransactions(Jdbi jdbi, Supplier<LedgerWatch> watch) {
        this.jdbi = jdbi;
        this.watch = watch;
    }

    @Override
    public <T> T run(String action, Function<Books, T> work) {
        return inStores(action, TransactionIsolationLevel.READ_COMMITTED, work);
    }

    @Override
    public <T> T read(String action, Function<Books, T> work) {
        return inStores(action, TransactionIsolationLevel.REPEATABLE_READ, work);
    }

    private <T> T inStores(
            String action, TransactionIsolationLevel level, Function<Books, T> work) {
        return carryOut(action, level, handle -> {
            PostgresStores stores = new PostgresStores(handle);
            T result = work.apply(new Books(stores));
            String seen = stores.transactionId();
            return new Done<>(result, seen == null ? transactionId(handle) : seen);
        });
    }

    @Override
    public List<SeenPartition> look(String action, Collection<PartitionKey> keys) {
        return atOnce(action, handle -> new PostgresStores(handle).partitions().look(keys));
    }

    @Override
    public List<SeenPartition> claimable(String action, RunId runId, int most) {
        return atOnce(
                action, handle -> new PostgresStores(handle).partitions().claimable(runId, most));
    }

    @Override
    public Map<PartitionKey, Instant> report(
            String action, List<PartitionMove> moves, Duration lease) {
        ReportMoves reports = new ReportMoves(moves, lease);
        return atOnce(action, handle -> reports.run(handle.getConnection()));
    }

    @Override
    public Map<PartitionKey, Claimed> claim(
            String action, List<PartitionMove> moves, Set<PartitionKey> next, Duration lease) {
        ClaimMoves claims = new ClaimMoves(moves, next, lease);
        return atOnce(action, handle -> claims.run(handle.getConnection()));
    }

    /**
     * One statement for the usual case. Where the server refuses it or its answer is lost, the call
     * is decided in a transaction, which finds what was written.
     */
    <T> Optional<T> ifUsual(String action, HandleCallback<Optional<T>, SQLException> work) {
        try {
            return atOnce(action, work);
        } catch (WeirException e) {
            Optional<SQLException> cause = PostgresErrors.find(e);
            if (cause.isPresent() && !(cause.get() instanceof SQLTransientConnectionException)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** One statement is a transaction by itself: nobody has to begin or to end it. */
    <T> T atOnce(String action, HandleCallback<T, SQLException> work) {
        LedgerWatch.Running running = watch.get().began(command(action));
        try {
            return jdbi.withHandle(work);
        } catch (JdbiException | SQLException e) {
            throw PostgresErrors.find(e)
                    .map(cause -> PostgresErrors.translate(action, cause))
                    .orElseGet(() -> new WeirException(
                            ErrorCode.LEDGER_INVARIANT,
                            "Cannot " + action + ": " + e.getMessage(),
                            e));
        } finally {
            running.done();
        }
    }

    /** Verb and thing: an action also says which one. */
    private static String command(String action) {
        int verb = action.indexOf(' ');
        int thing = action.indexOf(' ', verb + 1);
        if (thing >= 0 && SMALL_WORDS.contains(action.substring(verb + 1, thing))) {
            thing = action.indexOf(' ', thing + 1);
        }
        return thing < 0 ? action : action.substring(0, thing);
    }

    /** The same without stores. */
    <T> T inTransaction(String action, TransactionIsolationLevel level, Function<Handle, T> work) {
        return carryOut(
                action, level, handle -> new Done<>(work.apply(handle), transactionId(handle)));
    }

    private <T> T carryOut(
            String action, TransactionIsolationLevel level, Function<Handle, Done<T>> work) {
        LedgerWatch.Running running = watch.get().began(command(action));
        try {
            return tryOften(action, level, work);
        } finally {
            running.done();
        }
    }

    private <T> T tryOften(
            String action, TransactionIsolationLevel level, Function<Handle, Done<T>> work) {
        for (int attempt = 1; ; attempt++) {
            AtomicReference<@Nullable Done<T>> done = new AtomicReference<>();
            try {
                return jdbi.<T, SQLException>inTransaction(handle -> {
                    begin(handle, level);
                    Done<T> reached = work.apply(handle);
                    done.set(reached);
                    return reached.result();
                });
            } catch (JdbiException | SQLException e) {
                Optional<SQLException> cause = PostgresErrors.find(e);
                if (cause.isEmpty()) {
                    throw new WeirException(
                            ErrorCode.LEDGER_INVARIANT,
                            "Cannot " + action + ": " + e.getMessage(),
                            e);
                }
                Done<T> reached = done.get();
                boolean again = PostgresErrors.isRetried(cause.get());
                if (reached != null && reached.transactionId() != null) {
                    // Only the reply of the commit is missing: the server knows what became of it.
                    CommitOutcome outcome = new CommitOutcomes(jdbi).of(reached.transactionId());
                    if (outcome == CommitOutcome.COMMITTED) {
                        return reached.result();
                    }
                    again |= outcome == CommitOutcome.ABORTED;
                }
                if (attempt == ATTEMPTS_MAX || !again) {
                    throw PostgresErrors.translate(action, cause.get());
                }
                watch.get().retried(String.valueOf(cause.get().getSQLState()));
                LockSupport.parkNanos(PAUSE_NANOS * attempt);
            }
        }
    }

    /** Connections are READ COMMITTED; telling the server so each time would be a round trip. */
    private static void begin(Handle handle, TransactionIsolationLevel level) {
        if (level == TransactionIsolationLevel.REPEATABLE_READ) {
            handle.execute(REPEATABLE_READ);
        }
    }

    /**
     * Work that came to its end before the commit.
     *
     * @param transactionId null if it wrote nothing
     */
    private record Done<T>(T result, @Nullable String transactionId) {}

    private static @Nullable String transactionId(Handle handle) {
        return handle.createQuery(CommitOutcomes.TRANSACTION_ID)
                .mapTo(String.class)
                .findOne()
                .orElse(null);
    }
}
