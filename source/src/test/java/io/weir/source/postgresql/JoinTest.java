package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.core.run.SnapshotToken;
import io.weir.source.SourceSnapshot;
import io.weir.source.SplitOptions;
import io.weir.source.TableSpec;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Two holders of one snapshot; each could be a process of its own, they share only the token. */
@Timeout(60)
class JoinTest {
    private static final TableSpec ORDERS = TableSpec.of("public.orders");
    private static final SplitOptions SMALL = new SplitOptions(64 << 10, 100);
    private static final int ROWS = 5_000;

    private final Shop shop = new Shop();

    @BeforeEach
    void createTable() {
        shop.database.execute(
                "create table orders (id bigint primary key, note text)",
                "insert into orders select i, repeat('x', 80) from generate_series(1, " + ROWS
                        + ") i");
    }

    private SourceSnapshot join(SnapshotToken token, TableSpec... specs) {
        return shop.source().joinSnapshot(token, List.of(specs), 1);
    }

    private static Shop.Contents read(SourceSnapshot snapshot) {
        return Shop.read(snapshot, ORDERS, SMALL, 10_000);
    }

    private void change() {
        shop.database.execute(
                "insert into orders select i, 'new' from generate_series(100000, 110000) i",
                "update orders set note = 'changed' where id % 3 = 0",
                "delete from orders where id % 7 = 0");
    }

    private static void assertExpired(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeirException.class,
                        error -> assertThat(error.code())
                                .isEqualTo(ErrorCode.SOURCE_SNAPSHOT_EXPIRED))
                .hasMessageStartingWith(message);
    }

    @Test
    void seesNothingThatWasChangedAfterTheFirstSnapshot() {
        try (SourceSnapshot first = shop.snapshot(ORDERS)) {
            change();
            try (SourceSnapshot second = join(first.token(), ORDERS)) {
                Shop.Contents contents = read(second);
                assertThat(contents.rows()).hasSize(ROWS);
                assertThat(contents.column(1)).containsOnly("x".repeat(80));
                assertThat(contents.balance()).isEqualTo(read(first).balance());
                assertThat(second.expectation(ORDERS, List.of(MetricName.ROW_COUNT)))
                        .containsExactly(new Measure(MetricName.ROW_COUNT, Integer.toString(ROWS)));
                assertThat(second.table(ORDERS).schema())
                        .isEqualTo(first.table(ORDERS).schema());
            }
        }
    }

    @Test
    void hasATokenOfItsOwnAndNoPosition() {
        try (SourceSnapshot first = shop.snapshot(ORDERS);
                SourceSnapshot second = join(first.token(), ORDERS)) {
            assertThat(second.token().kind()).isEqualTo(first.token().kind());
            assertThat(second.token()).isNotEqualTo(first.token());
            assertThat(second.position()).isEmpty();
            assertThat(second.consistency()).isEqualTo(Consistency.SAME_SNAPSHOT);
        }
    }

    /** The first token dies with the first holder, the state does not. */
    @Test
    void canBeJoinedItselfAfterTheFirstHolderEnded() {
        SourceSnapshot first = shop.snapshot(ORDERS);
        Shop.Contents contents = read(first);
        SourceSnapshot second = join(first.token(), ORDERS);
        first.close();
        change();
        try (SourceSnapshot third = join(second.token(), ORDERS)) {
            second.close();
            assertExpired(() -> join(first.token(), ORDERS), "Cannot join the snapshot");
            assertThat(read(third).balance()).isEqualTo(contents.balance());
            assertThat(read(third).column(0))
                    .containsExactlyInAnyOrderElementsOf(contents.column(0));
        }
        assertThat(shop.sessions()).isEqualTo("0");
    }

    @Test
    void readsTheRangesThatTheFirstHolderPlanned() {
        try (SourceSnapshot first = shop.snapshot(ORDERS)) {
            List<KeyRange> ranges = first.split(ORDERS, SMALL);
            assertThat(ranges).hasSizeGreaterThan(5);
            change();
            try (SourceSnapshot second = join(first.token(), ORDERS)) {
                for (KeyRange range : ranges) {
                    assertThat(Shop.read(second, ORDERS, List.of(range), 10_000).rows())
                            .isNotEmpty()
                            .isEqualTo(Shop.read(first, ORDERS, List.of(range), 10_000)
                                    .rows());
                }
            }
        }
    }

    @Test
    void aSnapshotThatNobodyHoldsIsExpired() {
        SnapshotToken token;
        try (SourceSnapshot snapshot = shop.snapshot(ORDERS)) {
            token = snapshot.token();
        }
        assertExpired(
                () -> join(token, ORDERS),
                "Cannot join the snapshot of source shop (token=" + token.text() + "): ");
        assertThat(shop.sessions()).isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000003-0000001B-1", "../../etc/passwd", "x'; drop table orders"})
    void aTokenThatNamesNoSnapshotIsExpired(String text) {
        assertExpired(
                () -> join(new SnapshotToken("postgresql-snapshot", text), ORDERS),
                "Cannot join the snapshot of source shop (token=" + text + "): ");
    }

    /** The snapshots of one server are not those of all its databases. */
    @Test
    void aSnapshotOfAnotherDatabaseIsExpired() {
        Shop other = new Shop();
        other.database.execute("create table orders (id bigint primary key, note text)");
        try (SourceSnapshot snapshot = other.snapshot(ORDERS)) {
            assertExpired(() -> join(snapshot.token(), ORDERS), "Cannot join the snapshot");
        }
    }

    @Test
    void refusesATokenOfAnotherKind() {
        assertThatThrownBy(() -> join(new SnapshotToken("scn", "4711"), ORDERS))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.INTERNAL))
                .hasMessage("Cannot join the snapshot of source shop: its token is of another kind"
                        + " (kind=scn, expected=postgresql-snapshot)");
    }

    /** What the first holder did not lock could be changed in ways that no snapshot sees. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "truncate orders",
                "vacuum full orders",
                "alter table orders alter column id type text",
                "drop table orders; create table orders (id bigint primary key, note text)",
            })
    void refusesATableThatWasRewrittenSince(String sql) {
        shop.database.execute("create table others (id bigint)");
        try (SourceSnapshot first = shop.snapshot(TableSpec.of("others"))) {
            shop.database.execute(sql);
            assertExpired(
                    () -> join(first.token(), ORDERS),
                    "Cannot open a snapshot of table public.orders: it was rewritten after the"
                            + " snapshot was taken (rewritten=");
        }
        assertThat(shop.sessions()).isEqualTo("0");
    }

    @Test
    void keepsTheTableLockedWithoutTheFirstHolder() {
        SourceSnapshot first = shop.snapshot(ORDERS);
        try (SourceSnapshot second = join(first.token(), ORDERS)) {
            first.close();
            assertThatThrownBy(
                            () -> shop.database.execute("set lock_timeout = 100; truncate orders"))
                    .hasMessageContaining("lock timeout");
            assertThat(read(second).rows()).hasSize(ROWS);
        }
    }

    @Test
    void joinsForTablesThatExistOnly() {
        try (SourceSnapshot first = shop.snapshot(ORDERS)) {
            assertThatThrownBy(() -> join(first.token(), TableSpec.of("nowhere")))
                    .hasMessage("Cannot read table public.nowhere: it does not exist");
        }
        assertThat(shop.sessions()).isEqualTo("0");
    }
}
