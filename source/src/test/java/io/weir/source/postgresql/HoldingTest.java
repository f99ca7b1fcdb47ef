package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.run.KeyRange;
import io.weir.source.PartitionRows;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.SourceSnapshot;
import io.weir.source.TableSpec;

import org.apache.arrow.vector.ipc.ArrowReader;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Whether a snapshot is still held, and servers that say nothing any more. */
@Timeout(60)
class HoldingTest {
    private static final TableSpec ORDERS = TableSpec.of("public.orders");
    private static final String COORDINATOR =
            "query like '%pg_export_snapshot%' or query like '%from pg_catalog%'"
                    + " or query = 'select'";

    private final Shop shop = new Shop();

    @BeforeEach
    void createTable() {
        shop.database.execute("create table orders (id bigint primary key, note text)");
    }

    private Source patient(Duration readTimeout) {
        return PostgresSource.open(new SourceConfig(
                "shop", shop.database.url(), shop.database.user(), null, readTimeout));
    }

    private static void assertFails(ThrowingCallable call, ErrorCode code, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeirException.class, error -> assertThat(error.code()).isEqualTo(code))
                .hasMessageMatching(message);
    }

    @Test
    void aHolderThatLostItsConnectionKnows() {
        try (SourceSnapshot snapshot = shop.snapshot(ORDERS)) {
            snapshot.check();
            snapshot.check();
            shop.terminate(COORDINATOR);
            String lost =
                    "Cannot hold the snapshot of source shop: .* \\(sqlstate=(57P01|08...)\\)";
            assertFails(snapshot::check, ErrorCode.SOURCE_CONNECTION_LOST, lost);
            assertFails(snapshot::check, ErrorCode.SOURCE_CONNECTION_LOST, lost);
        }
    }

    /** The connection lives, but a transaction that failed exports nothing. */
    @Test
    void aHolderWhoseTransactionFailedHoldsNothing() {
        shop.database.execute(
                "create view broken as select 1 / (id - 1) as id from orders",
                "insert into orders values (1, 'one')");
        TableSpec broken = TableSpec.of("broken");
        try (SourceSnapshot snapshot = shop.snapshot(broken)) {
            assertFails(
                    () -> snapshot.expectation(broken, List.of(MetricName.parse("min(id)"))),
                    ErrorCode.SOURCE_QUERY_FAILED,
                    "Cannot measure table public.broken: .*sqlstate=22012.*");
            assertFails(
                    snapshot::check,
                    ErrorCode.SOURCE_SNAPSHOT_EXPIRED,
                    "Cannot hold the snapshot of source shop: .* \\(sqlstate=25P02\\)");
            assertFails(
                    () -> shop.source().joinSnapshot(snapshot.token(), List.of(ORDERS), 0),
                    ErrorCode.SOURCE_SNAPSHOT_EXPIRED,
                    "Cannot join the snapshot of source shop .*");
        }
    }

    @Test
    void aCheckDoesNotWaitForAMeasurement() throws Exception {
        shop.database.execute(
                "create view waiting as select pg_advisory_xact_lock_shared(7)::text" + " as id");
        TableSpec waiting = TableSpec.of("waiting");
        try (Connection other = shop.database.connect();
                Statement statement = other.createStatement();
                SourceSnapshot snapshot =
                        patient(Duration.ZERO).openSnapshot(List.of(waiting), 0)) {
            statement.execute("select pg_advisory_lock(7)");
            CompletableFuture<List<Measure>> measuring = CompletableFuture.supplyAsync(
                    () -> snapshot.expectation(waiting, List.of(MetricName.ROW_COUNT)));
            shop.awaitWaiters(1);
            snapshot.check();
            assertThat(measuring).isNotDone();
            statement.execute("select pg_advisory_unlock(7)");
            assertThat(measuring.get()).containsExactly(new Measure(MetricName.ROW_COUNT, "1"));
            snapshot.check();
        }
    }

    /** The server keeps the connection open, but its process does nothing any more. */
    @Test
    void aReaderGivesUpOnAServerThatIsSilent() throws Exception {
        shop.database.execute("insert into orders select i, repeat('x', 2000)"
                + " from generate_series(1, 40000) i");
        try (SourceSnapshot snapshot =
                patient(Duration.ofMillis(500)).openSnapshot(List.of(ORDERS), 1)) {
            PartitionRows rows = snapshot.reader(0)
                    .read(ORDERS.table(), snapshot.table(ORDERS).schema(), KeyRange.ALL);
            String pid = shop.database.text("select pid from pg_stat_activity"
                    + " where datname = current_database() and query like 'copy %'");
            signal("STOP", pid);
            try {
                try (ArrowReader chunk = rows.nextChunk(1L << 40)) {
                    assertFails(
                            () -> drain(chunk),
                            ErrorCode.SOURCE_CONNECTION_LOST,
                            "Cannot read table public\\.orders after [0-9]+ rows: .*"
                                    + " \\(sqlstate=08006\\)");
                }
                rows.close();
                assertFails(
                        () -> snapshot.reader(0)
                                .read(
                                        ORDERS.table(),
                                        snapshot.table(ORDERS).schema(),
                                        KeyRange.ALL),
                        ErrorCode.SOURCE_CONNECTION_LOST,
                        "Cannot read table public\\.orders: .*");
            } finally {
                signal("CONT", pid);
            }
        }
        assertThat(shop.sessions()).isEqualTo("0");
    }

    private static void drain(ArrowReader chunk) throws IOException {
        boolean more = true;
        while (more) {
            more = chunk.loadNextBatch();
        }
    }

    private static void signal(String signal, String pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, pid)
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }
}
