package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.MetricName;
import io.weir.core.run.Bound;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.source.PartitionRows;
import io.weir.source.SourceConfig;
import io.weir.source.SourceSnapshot;
import io.weir.source.SplitOptions;
import io.weir.source.TableSpec;

import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** One state of the database, whatever other sessions do. */
@Timeout(60)
class SnapshotTest {
    private static final TableSpec ORDERS = TableSpec.of("public.orders");
    private static final SplitOptions SMALL = new SplitOptions(64 << 10, 100);
    private static final int ROWS = 20_000;

    private final Shop shop = new Shop();

    @BeforeEach
    void createTable() {
        shop.database.execute(
                "create table orders (id bigint primary key, note text)",
                "insert into orders select i, repeat('x', 80) from generate_series(1, " + ROWS
                        + ") i");
    }

    private static List<@Nullable Object> ids(Shop.Contents contents) {
        return contents.column(0).stream().sorted().toList();
    }

    private static List<Object> allIds() {
        return LongStream.rangeClosed(1, ROWS).<Object>mapToObj(id -> id).toList();
    }

    @Test
    void namesItsStateAndItsPlaceInTheLog() {
        String before = shop.database.text("select pg_current_wal_lsn()");
        try (SourceSnapshot snapshot = shop.snapshot(ORDERS)) {
            assertThat(snapshot.token().kind()).isEqualTo("postgresql-snapshot");
            assertThat(snapshot.token().text()).matches("[0-9A-F]+-[0-9A-F]+-[0-9]+");
            assertThat(snapshot.consistency()).isEqualTo(Consistency.SAME_SNAPSHOT);
            assertThat(snapshot.position().orElseThrow().kind()).isEqualTo("lsn");
            String lsn = snapshot.position().orElseThrow().text();
            assertThat(shop.database.text("select '" + lsn + "'::pg_lsn between '" + before
                            + "' and pg_current_wal_lsn()"))
                    .isEqualTo("t");
        }
    }

    /** Rows move between blocks while they are read; the snapshot must not notice. */
    @Test
    void readsTheStateAtTheTokenWhileOthersWrite() throws Exception {
        ExecutorService writer = Executors.newSingleThreadExecutor();
        CompletableFuture<Void> stop = new CompletableFuture<>();
        CompletableFuture<Void> started = new CompletableFuture<>();
        try (SourceSnapshot snapshot = shop.snapshot(ORDERS)) {
            Future<?> writing = writer.submit(() -> {
                int round = 0;
                while (!stop.isDone()) {
                    round++;
                    shop.database.execute(
                            "update orders set note = note || 'y' where id % 7 = " + round % 7,
                            "delete from orders where id % 11 = " + round % 11,
                            "insert into orders values (" + (1_000_000 + round) + ", 'new')");
                    started.complete(null);
                }
            });
            started.get();

            Shop.Contents contents = Shop.read(snapshot, ORDERS, SMALL, 10_000);
            stop.complete(null);
            writing.get();

            assertThat(contents.partitions()).isGreaterThan(10);
            assertThat(ids(contents)).isEqualTo(allIds());
            assertThat(contents.column(1)).containsOnly("x".repeat(80));
            assertThat(snapshot.expectation(ORDERS, List.of(MetricName.ROW_COUNT))
                            .get(0)
                            .value())
                    .isEqualTo(Integer.toString(ROWS));
            assertThat(shop.database.text("select count(*) from orders"))
                    .isNotEqualTo(Integer.toString(ROWS));
        } finally {
            stop.complete(null);
            writer.shutdown();
        }
    }

    /** A TRUNCATE or DROP that came in between would show an empty table: neither is MVCC safe. */
    @Test
    void keepsTruncateAndDropWaitingUntilEverythingIsRead() throws Exception {
        ExecutorService others = Executors.newFixedThreadPool(2);
        List<Future<?>> waiting = new ArrayList<>();
        try (SourceSnapshot snapshot = shop.snapshot(ORDERS)) {
            for (String sql : List.of("truncate orders", "drop table orders")) {
                waiting.add(others.submit(() -> shop.database.execute(sql)));
            }
            shop.awaitWaiters(2);

            Shop.Contents contents = Shop.read(snapshot, ORDERS, SMALL, 10_000);

            assertThat(ids(contents)).isEqualTo(allIds());
            assertThat(waiting).noneMatch(Future::isDone);
        } finally {
            others.shutdown();
        }
        assertThat(others.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(shop.database.text("select to_regclass('orders') is null")).isEqualTo("t");
    }

    @Test
    void namesTheTableThatAnotherSessionLocks() throws SQLException {
        try (Connection other = shop.database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table orders in access exclusive mode");
            assertThatThrownBy(() -> shop.snapshot(ORDERS))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            error -> assertThat(error.code()).isEqualTo(ErrorCode.SOURCE_LOCKED))
                    .hasMessageMatching("Cannot inspect table public\\.orders: canceling"
                            + " statement due to lock timeout \\(sqlstate=55P03\\)");
        }
        assertThat(shop.sessions()).isEqualTo("0");
    }

    @Test
    void leavesNoSessionBehind() {
        try (SourceSnapshot snapshot = shop.source().openSnapshot(List.of(ORDERS), 3)) {
            assertThat(snapshot.token().text()).isNotEmpty();
        }
        assertThat(shop.sessions()).isEqualTo("0");
        assertThatThrownBy(() -> shop.snapshot(ORDERS, TableSpec.of("nowhere")))
                .hasMessage("Cannot read table public.nowhere: it does not exist");
        assertThat(shop.sessions()).isEqualTo("0");
    }

    @Test
    void readersGoOnWithoutTheSessionThatExported() {
        try (SourceSnapshot snapshot = shop.snapshot(ORDERS)) {
            shop.terminate("query like '%pg_export_snapshot%' or query like '%from pg_catalog%'");
            PartitionRows rows = snapshot.reader(0)
                    .read(ORDERS.table(), snapshot.table(ORDERS).schema(), KeyRange.ALL);
            assertThat(rows.exhausted()).isFalse();
            rows.close();
            assertThatThrownBy(() -> snapshot.expectation(ORDERS, List.of(MetricName.ROW_COUNT)))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            error -> assertThat(error.code())
                                    .isEqualTo(ErrorCode.SOURCE_CONNECTION_LOST));
        }
    }

    @Test
    void aConnectionCutInTheMiddleIsNoShortTable() throws IOException {
        shop.database.execute("insert into orders select i, repeat('x', 2000)"
                + " from generate_series(100000, 140000) i");
        try (SourceSnapshot snapshot = shop.snapshot(ORDERS)) {
            PartitionRows rows = snapshot.reader(0)
                    .read(ORDERS.table(), snapshot.table(ORDERS).schema(), KeyRange.ALL);
            try (ArrowReader chunk = rows.nextChunk(1 << 30)) {
                assertThat(chunk.loadNextBatch()).isTrue();
                shop.terminate("query like 'copy %'");
                assertThatThrownBy(() -> {
                            while (chunk.loadNextBatch()) {
                                assertThat(rows.failure()).isEmpty();
                            }
                        })
                        .isInstanceOfSatisfying(
                                WeirException.class,
                                error -> assertThat(error.code())
                                        .isEqualTo(ErrorCode.SOURCE_CONNECTION_LOST))
                        .hasMessageMatching("Cannot read table public\\.orders after [0-9]+ rows:"
                                + " .* \\(sqlstate=(57P01|08006)\\)");
            }
            assertThat(rows.failure()).isPresent();
            assertThatThrownBy(rows::totals).isSameAs(rows.failure().orElseThrow());
            assertThatThrownBy(rows::exhausted).isSameAs(rows.failure().orElseThrow());
            rows.close();
            assertThatThrownBy(() -> Shop.read(snapshot, ORDERS, SMALL, 10_000))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            error -> assertThat(error.code())
                                    .isEqualTo(ErrorCode.SOURCE_CONNECTION_LOST));
        }
    }

    @Test
    void aPartitionThatIsGivenUpLeavesTheReaderAtTheSnapshot() throws IOException {
        try (SourceSnapshot snapshot = shop.snapshot(ORDERS)) {
            PartitionRows rows = snapshot.reader(0)
                    .read(ORDERS.table(), snapshot.table(ORDERS).schema(), KeyRange.ALL);
            assertThatThrownBy(() -> snapshot.reader(0)
                            .read(ORDERS.table(), snapshot.table(ORDERS).schema(), KeyRange.ALL))
                    .hasMessage("Cannot read table public.orders: the partition before is not"
                            + " closed");
            try (ArrowReader chunk = rows.nextChunk(100)) {
                assertThat(chunk.loadNextBatch()).isTrue();
            }
            rows.close();
            shop.database.execute("delete from orders");

            assertThat(ids(Shop.read(snapshot, ORDERS, SMALL, 10_000))).isEqualTo(allIds());
        }
    }

    @Test
    void aPartitionThatCannotBeginLeavesTheReaderAtTheSnapshot() {
        // A block that no table can have; only the server knows.
        KeyRange broken = KeyRange.between(new Bound("ctid", "(9999999999,1)"), null);
        try (SourceSnapshot snapshot = shop.snapshot(ORDERS)) {
            assertThatThrownBy(() -> snapshot.reader(0)
                            .read(ORDERS.table(), snapshot.table(ORDERS).schema(), broken))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            error -> assertThat(error.code())
                                    .isEqualTo(ErrorCode.SOURCE_QUERY_FAILED))
                    .hasMessageContaining("(9999999999,1)");

            assertThat(ids(Shop.read(snapshot, ORDERS, SMALL, 10_000))).isEqualTo(allIds());
        }
    }

    /** Seen by comparing files, where a lock could not be had before the snapshot. */
    @Test
    void findsATableThatWasRewrittenBeforeItWasLocked() {
        SourceConfig config =
                new SourceConfig("shop", shop.database.url(), shop.database.user(), null);
        try (PostgresSession session = PostgresSession.open(config, Shop.SHORT_LOCK_TIMEOUT)) {
            Activity activity = Activity.of("look");
            Catalog catalog = new Catalog(session, activity);
            session.execute("begin isolation level repeatable read read only", activity);
            Relation relation =
                    catalog.relation(new RelationName("public", "orders")).orElseThrow();
            SnapshotOpening.refuseRewritten(catalog, relation);
            shop.database.execute("truncate orders");

            assertThatThrownBy(() -> SnapshotOpening.refuseRewritten(catalog, relation))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            error -> assertThat(error.code())
                                    .isEqualTo(ErrorCode.SOURCE_SNAPSHOT_EXPIRED))
                    .hasMessage("Cannot open a snapshot of table public.orders: it was rewritten"
                            + " after the snapshot was taken (rewritten=public.orders)");
        }
    }
}
