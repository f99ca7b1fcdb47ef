package io.weir.ingest;

import static io.weir.ingest.IngestHouse.transaction;
import static io.weir.ingest.IngestHouse.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.StreamLedger;
import io.weir.core.run.Operator;
import io.weir.core.run.StreamState;
import io.weir.core.run.StreamTransaction;
import io.weir.ledger.LedgerSettings;
import io.weir.testkit.ledger.MemoryBooks;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** With a ledger, others see open transactions, and may end them. */
class LeaseTest extends HouseTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final MemoryBooks books = new MemoryBooks(1, LedgerSettings.DEFAULTS);
    private final ManualTimer timer = new ManualTimer();
    private final Set<String> silent = new HashSet<>();

    @BeforeEach
    void table() {
        house.plain();
    }

    private StreamingConnection connect() throws StreamingException {
        return house.to("plain")
                .withTimer(timer)
                .withLedger(sometimesAway())
                .withLeaseTimeout(TIMEOUT)
                .connect();
    }

    /** The books, away for the calls that a test names. */
    private StreamLedger sometimesAway() {
        return (StreamLedger) Proxy.newProxyInstance(
                LeaseTest.class.getClassLoader(),
                new Class<?>[] {StreamLedger.class},
                (proxy, method, arguments) -> {
                    if (silent.contains(method.getName())) {
                        throw new WeirException(
                                ErrorCode.LEDGER_UNREACHABLE, "Cannot reach the ledger: away");
                    }
                    try {
                        return method.invoke(books.ledger(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private StreamTransaction only() {
        assertThat(books.ledger().streams()).hasSize(1);
        return books.ledger().streams().get(0);
    }

    private static void expired(ThrowingCallable call, String reason) {
        assertThatThrownBy(call).isInstanceOfSatisfying(TransactionError.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.INGEST_EXPIRED);
            assertThat(e).hasMessageContaining(reason).hasMessageContaining("testing.plain");
            assertThat(e.hint()).isEqualTo("Write its records again in a new transaction.");
            assertThat(e.isRetriable()).isFalse();
        });
    }

    @Test
    void anOpenTransactionIsSeenAndSignsByItself() throws Exception {
        try (StreamingConnection connection = house.to("plain")
                .withTimer(timer)
                .withLedger(books.ledger())
                .withSource("topic-0")
                .connect()) {
            connection.beginTransaction(7);
            write(connection, "1,a", "2,b");
            assertThat(only().records()).isZero();

            timer.pass();

            StreamTransaction row = only();
            assertThat(row.state()).isEqualTo(StreamState.OPEN);
            assertThat(row.target()).isEqualTo("testing.plain");
            assertThat(row.agent()).isEqualTo("UT_plain");
            assertThat(row.worker()).startsWith(ProcessHandle.current().pid() + "@");
            assertThat(row.source()).isEqualTo("topic-0");
            assertThat(row.sequence()).isEqualTo(7);
            assertThat(row.records()).isEqualTo(2);
            assertThat(row.timeout()).isEqualTo(Duration.ofMinutes(5));
            timer.pass();
            connection.commitTransaction();
            assertThat(connection.getConnectionStats().getHeartbeats()).isEqualTo(2);
            assertThat(books.ledger().streams()).isEmpty();
            connection.beginTransaction();
            connection.abortTransaction();
            assertThat(books.ledger().streams()).isEmpty();
            connection.beginTransaction();
        }

        assertThat(books.ledger().streams()).isEmpty();
        timer.pass();
        assertThat(house.rows("plain")).containsExactly("1,a", "2,b");
    }

    @Test
    void signsKeepATransactionAliveForAsLongAsItTakes() throws Exception {
        try (StreamingConnection connection = connect()) {
            connection.beginTransaction();
            for (int i = 0; i < 5; i++) {
                write(connection, i + ",a");
                books.pass(TIMEOUT.dividedBy(2));
                timer.pass();
            }

            assertThat(connection.commitTransaction().balance().rows()).isEqualTo(5);
        }
    }

    @Test
    void anExpiredTransactionIsAbortedAndSaysSo() throws Exception {
        try (StreamingConnection connection = connect()) {
            connection.beginTransaction();
            write(connection, "1,a");
            books.pass(TIMEOUT);
            timer.pass();

            expired(() -> write(connection, "2,b"), "its lease ended before a sign came");

            assertThat(connection.getCurrentTransactionState()).isEqualTo(TxnState.ABORTED);
            assertThat(connection.getConnectionStats().getAbortedTransactions()).isEqualTo(1);
            assertThat(books.ledger().streams()).isEmpty();
            transaction(connection, "3,c");
        }

        assertThat(house.rows("plain")).containsExactly("3,c");
        assertThat(house.filesOnDisk("plain")).hasSize(1);
    }

    @Test
    void aProcessThatStoodStillFindsOutAtItsCommit() throws Exception {
        try (StreamingConnection connection = connect()) {
            connection.beginTransaction();
            write(connection, "1,a");
            books.pass(TIMEOUT);

            expired(connection::commitTransaction, "its lease ended");

            assertThat(house.rows("plain")).isEmpty();
            connection.beginTransaction();
            write(connection, "2,b");
            StreamTransaction another = another();
            books.pass(TIMEOUT.plusDays(3));
            books.ledger().openStream(another);
            expired(connection::commitTransaction, "the ledger does not know it any more");
            assertThat(house.rows("plain")).isEmpty();
        }
    }

    private StreamTransaction another() {
        StreamTransaction row = only();
        return new StreamTransaction(
                new UUID(1, 1),
                row.target(),
                row.agent(),
                row.worker(),
                null,
                null,
                StreamState.OPEN,
                0,
                TIMEOUT,
                row.begunAt(),
                row.leaseUntil(),
                null);
    }

    @Test
    void anotherProcessMayAbortIt() throws Exception {
        try (StreamingConnection connection = connect()) {
            connection.beginTransaction();
            write(connection, "1,a");
            books.anotherProcess()
                    .abortStream(only().id(), new Operator("ann", "the feed is wrong"));

            expired(
                    connection::commitTransaction,
                    "it was aborted (by=ann: the feed is wrong), nothing of it is in the table");

            assertThat(house.rows("plain")).isEmpty();
            transaction(connection, "2,b");
        }

        assertThat(house.rows("plain")).containsExactly("2,b");
    }

    @Test
    void withoutItsLedgerATransactionCanWaitButNotBeCommitted() throws Exception {
        try (StreamingConnection connection = connect()) {
            silent.add("openStream");
            assertThatThrownBy(connection::beginTransaction)
                    .isInstanceOfSatisfying(TransactionError.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_UNREACHABLE);
                        assertThat(e.isRetriable()).isTrue();
                    });
            silent.clear();
            connection.beginTransaction();
            silent.addAll(Set.of("prolongStream", "commitStream", "closeStream"));
            write(connection, "1,a");
            timer.pass();
            write(connection, "2,b");

            assertThatThrownBy(connection::commitTransaction)
                    .isInstanceOfSatisfying(
                            TransactionError.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_UNREACHABLE));

            assertThat(connection.getCurrentTransactionState()).isEqualTo(TxnState.OPEN);
            write(connection, "3,c");
            silent.remove("commitStream");
            assertThat(connection.commitTransaction().balance().rows()).isEqualTo(3);
            assertThat(only().state()).isEqualTo(StreamState.COMMITTING);
        }

        assertThat(house.rows("plain")).containsExactly("1,a", "2,b", "3,c");
    }

    @Test
    void aTimeoutThatCannotBeKeptIsRefused() {
        assertThatThrownBy(() -> house.to("plain")
                        .withLeaseTimeout(Duration.ofMillis(10))
                        .connect())
                .isInstanceOf(ConnectionError.class)
                .hasMessageContaining(
                        "the lease timeout is too short (timeout=PT0.01S, least=PT1S)");
    }
}
