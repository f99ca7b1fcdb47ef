package io.weir.capture.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.capture.CaptureSpec;
import io.weir.capture.ChangeOp;
import io.weir.capture.ChangeStream;
import io.weir.capture.RowImage;
import io.weir.capture.StreamEvent;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.source.TableSpec;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What comes out of a change stream, and what stops it. */
class StreamTest {
    private static final String BIG = "repeat(md5('x'), 1000)";

    private final Tap tap = new Tap();
    private CaptureSpec spec = tap.spec("public.k", "public.other");

    @BeforeEach
    void createTables() {
        tap.database.execute(
                "create table k (id int primary key deferrable, v text, n int not null default 0)",
                "alter table k alter v set storage external",
                "create table other (id int primary key, w numeric(6,2))");
        tap.publish("public.k", "public.other");
        tap.capture().createSlot(spec);
    }

    @AfterEach
    void dropSlot() {
        tap.close();
    }

    private static List<@Nullable Object> row(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    private static List<@Nullable Object> values(@Nullable RowImage image) {
        return new ArrayList<>(Objects.requireNonNull(image).values());
    }

    private static String text(StreamEvent.Change change) {
        RowImage before = change.before();
        RowImage after = change.after();
        return change.ordinal() + " " + change.table() + " " + change.op().text() + " "
                + (before == null ? "-" : before.values()) + " "
                + (after == null ? "-" : after.values());
    }

    private static List<String> texts(ChangeStream stream) {
        return Tap.transaction(stream).changes().stream().map(StreamTest::text).toList();
    }

    @Test
    void transactionsComeWholeAndInTheOrderOfTheirCommits() throws SQLException {
        try (Connection first = tap.database.connect();
                Connection second = tap.database.connect();
                Statement a = first.createStatement();
                Statement b = second.createStatement()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            a.execute("insert into k values (1, 'a')");
            b.execute("insert into other values (7, 1.5)");
            b.execute("savepoint s");
            b.execute("insert into other values (8, 1.5)");
            b.execute("rollback to s");
            a.execute("insert into k values (2, null)");
            second.commit();
            first.commit();
        }
        tap.database.execute("begin; insert into k values (3, 'x'); rollback");
        tap.database.execute("begin; update k set n = 5 where id = 1; delete from k where id = 2;"
                + " insert into other values (9, -0.05); commit");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(texts(stream)).containsExactly("1 public.other insert - [7, 1.50]");
            Tap.Transaction two = Tap.transaction(stream);
            assertThat(two.changes().stream().map(StreamTest::text))
                    .containsExactly(
                            "1 public.k insert - [1, a, 0]", "2 public.k insert - [2, null, 0]");
            assertThat(two.begin().transaction()).isEqualTo(two.commit().transaction());
            Tap.Transaction three = Tap.transaction(stream);
            assertThat(three.changes().stream().map(StreamTest::text))
                    .containsExactly(
                            "1 public.k update [1, a, 0] [1, a, 5]",
                            "2 public.k delete [2, null, 0] -",
                            "3 public.other insert - [9, -0.05]");
            assertThat(three.commit().place()).isGreaterThan(two.commit().place());
            assertThat(three.changes().stream().map(StreamEvent.Change::commitMicros))
                    .containsOnly(three.changes().get(0).commitMicros());
            assertThat(stream.next(Duration.ofMillis(300))).isNull();
        }
    }

    /** B69, B74: keys that swap share one place in the log; the order is that of the events. */
    @Test
    void changedKeysAreDeleteAndInsertInOrder() {
        tap.database.execute(
                "insert into k values (1, 'a'), (2, 'b')",
                "begin; set constraints all deferred; update k set id = 3 - id; commit");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(texts(stream)).hasSize(2);
            assertThat(texts(stream))
                    .containsExactly(
                            "1 public.k delete [1, a, 0] -",
                            "2 public.k insert - [2, a, 0]",
                            "3 public.k delete [2, b, 0] -",
                            "4 public.k insert - [1, b, 0]");
        }
    }

    @Test
    void truncateHasItsPlaceInTheTransaction() {
        tap.database.execute(
                "insert into k values (1, 'a')",
                "begin; insert into k values (2, 'b'); truncate k, other;"
                        + " insert into k values (2, 'c'); commit");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(texts(stream)).hasSize(1);
            List<StreamEvent.Change> changes = Tap.transaction(stream).changes();
            assertThat(changes.stream().map(StreamEvent.Change::op))
                    .containsExactly(
                            ChangeOp.INSERT, ChangeOp.TRUNCATE, ChangeOp.TRUNCATE, ChangeOp.INSERT);
            assertThat(changes.stream().skip(1).limit(2).map(StreamEvent.Change::table))
                    .containsExactlyInAnyOrder("public.k", "public.other");
        }
    }

    /** B59: a big value that did not change is in both images where the identity is full. */
    @Test
    void bigValuesThatDidNotChangeAreThere() {
        tap.database.execute("insert into k values (1, " + BIG + ")", "update k set n = n + 1");
        try (ChangeStream stream = tap.open(spec)) {
            Tap.transaction(stream);
            StreamEvent.Change update = Tap.transaction(stream).changes().get(0);
            assertThat(values(update.before())).isEqualTo(row(1, big(), 0));
            assertThat(values(update.after())).isEqualTo(row(1, big(), 1));
        }
    }

    private String big() {
        return tap.database.text("select v from k where id = 1");
    }

    private static RowImage after(ChangeStream stream) {
        return Objects.requireNonNull(Tap.transaction(stream).changes().get(0).after());
    }

    /** B57: names as people give them; a column that is left out never stops anything. */
    @Test
    void namesMayHoldAnythingAndColumnsMayBeLeftOut() {
        String table = "public.\"Odd, (T.x)\"";
        tap.database.execute(
                "create table " + table + " (\"Größe\" int primary key, \"a b\" text,"
                        + " \"op\" text, \"no, thanks\" numeric)",
                "create table \"odd, (t.x)\" (id int)",
                "alter table " + table + " replica identity full",
                "alter publication weir_pub add table " + table + ", \"odd, (t.x)\"");
        spec = new CaptureSpec(
                Tap.PUBLICATION,
                tap.slot,
                List.of(new TableSpec(table, List.of("no, thanks"), Map.of())),
                CaptureSpec.Identity.FULL,
                CaptureSpec.SLOT_BYTES_MAX);
        tap.database.execute("begin; insert into " + table + " values (1, 'x', 'c', 'NaN');"
                + " insert into \"odd, (t.x)\" values (1); update " + table
                + " set \"no, thanks\" = 1; commit");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(Tap.transaction(stream).changes())
                    .extracting(StreamEvent.Change::table)
                    .containsExactly(table, table);
        }
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(after(stream).values()).containsExactly(1, "x", "c");
        }
    }

    @Test
    void onlyConfirmedTransactionsAreNotSentAgain() {
        tap.database.execute(
                "insert into k values (1, 'a')",
                "begin; insert into k values (2, 'b'); update k set id = 9 where id = 2; commit",
                "insert into k values (3, 'c')");
        List<String> second;
        try (ChangeStream stream = tap.open(spec)) {
            Tap.Transaction one = Tap.transaction(stream);
            second = texts(stream);
            stream.confirm(one.commit());
        }
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(texts(stream)).isEqualTo(second).hasSize(3);
            Tap.Transaction three = Tap.transaction(stream);
            assertThat(three.changes()).hasSize(1);
            stream.confirm(three.commit());
        }
        tap.database.execute("insert into k values (4, 'd')");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(texts(stream)).containsExactly("1 public.k insert - [4, d, 0]");
        }
    }

    /** B70: a stream that ends inside of a transaction gives it again from its beginning. */
    @Test
    void halfATransactionIsGivenAgainAsAWhole() {
        tap.database.execute(
                "insert into k values (1, 'a')",
                "begin; insert into k select i, 'x' from generate_series(2, 5000) i;"
                        + " update k set id = -id; truncate k, other; commit");
        try (ChangeStream stream = tap.open(spec)) {
            stream.confirm(Tap.transaction(stream).commit());
            for (int i = 0; i < 5_002; i++) {
                assertThat(Tap.next(stream)).isNotInstanceOf(StreamEvent.Commit.class);
            }
        }
        try (ChangeStream stream = tap.open(spec)) {
            Tap.Transaction again = Tap.transaction(stream);
            assertThat(again.changes()).hasSize(4_999 + 2 * 5_000 + 2);
            assertThat(again.changes().get(0).ordinal()).isEqualTo(1);
        }
    }

    /** Messages of applications and changes of other tables take ordinals, and nothing else. */
    @Test
    void whatNobodyAskedForIsNotGiven() {
        tap.database.execute("create table loud (id int primary key)");
        tap.database.execute(
                "alter publication weir_pub add table loud",
                "begin; insert into loud values (1); insert into k values (1, 'a');"
                        + " select pg_logical_emit_message(true, 'app', 'hello');"
                        + " insert into k values (2, 'b'); commit");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(Tap.transaction(stream).changes().stream()
                            .map(StreamEvent.Change::after)
                            .map(image -> Objects.requireNonNull(image).value(0)))
                    .containsExactly(1, 2);
        }
    }

    @Test
    void aMarkEndsWhatWasBeforeItAndLetsASilentSlotMove() {
        tap.database.execute("create table noise (id int)");
        tap.database.execute("insert into k values (1, 'a')");
        var capture = tap.capture();
        try (ChangeStream stream = capture.open(spec, tap.schemas(spec))) {
            Tap.Transaction one = Tap.transaction(stream);
            stream.confirm(one.commit());
            tap.database.execute("insert into noise select generate_series(1, 10000)");
            long mark = capture.mark();
            assertThat(one.commit().place()).isLessThan(mark);
            Tap.Transaction marked = Tap.transaction(stream);
            assertThat(marked.changes()).isEmpty();
            assertThat(marked.commit().place()).isGreaterThan(mark);
            stream.confirm(marked.commit());
            assertThat(tap.confirmedSince(marked.commit())).isEqualTo("0");
        }
    }

    /** B06, B26, B27, B30: nothing becomes NULL or another value without a word. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "timestamp;'infinity'",
                "timestamp;'-infinity'",
                "timestamp;'4713-01-01 BC'",
                "timestamp;'294276-12-31 23:59:59'",
                "timestamp;'10000-01-01'",
                "timestamptz;'infinity'",
                "timestamptz;'0001-12-31 23:40:28+00 BC'",
                "timestamptz;'15000-12-31 23:40:28+00'",
                "date;'infinity'",
                "date;'0002-11-30 BC'",
                "date;'10000-01-01'",
                "time;'24:00:00'",
                "numeric(12,2);'NaN'"
            })
    void aValueThatCannotBeHeldStops(String type, String literal) {
        tap.database.execute("create table edge (id int primary key, v " + type + ")");
        tap.database.execute(
                "alter table edge replica identity full",
                "alter publication weir_pub add table" + " edge");
        spec = tap.spec("public.edge");
        tap.database.execute(
                "insert into edge values (1, null)",
                "insert into edge values (2, " + literal + ")");
        try (ChangeStream stream = tap.open(spec)) {
            assertThatThrownBy(() -> {
                        Tap.transaction(stream);
                        Tap.transaction(stream);
                    })
                    .isInstanceOfSatisfying(WeirException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_VALUE_UNREPRESENTABLE);
                        assertThat(e)
                                .hasMessageContaining(
                                        "table public.edge: column v of row id=2 has a value");
                        assertThat(e.details())
                                .containsEntry(ChangeStream.TABLE, "public.edge")
                                .containsEntry(ChangeStream.KEY, "id=2");
                    });
        }
    }

    @Test
    void columnsThatWereNotThereStopTheTable() {
        tap.database.execute("insert into k values (1, 'a')");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(Tap.transaction(stream).changes()).hasSize(1);
            tap.database.execute(
                    "alter table k add column more int", "insert into k values (2, 'b', 0, 5)");
            assertThatThrownBy(() -> Tap.transaction(stream))
                    .isInstanceOfSatisfying(WeirException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_SCHEMA_CHANGED);
                        assertThat(e).hasMessageContaining("new columns (columns=[more])");
                    });
        }
    }

    /** Values come as text, which has neither precision nor scale. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"numeric(8,2)", "numeric(6,1)", "numeric", "bigint"})
    void anotherPrecisionOrScaleStopsTheTable(String type) {
        tap.database.execute("insert into other values (1, 1)");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(Tap.transaction(stream).changes()).hasSize(1);
            tap.database.execute(
                    "alter table other alter w type " + type, "insert into other values (2, 2)");
            assertThatThrownBy(() -> Tap.transaction(stream))
                    .isInstanceOfSatisfying(WeirException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_SCHEMA_CHANGED);
                        assertThat(e).hasMessageContaining("column w has another type");
                    });
        }
    }

    @Test
    void anIdentityThatIsNoLongerFullStops() {
        tap.database.execute("insert into other values (1, 1)");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(Tap.transaction(stream).changes()).hasSize(1);
            tap.database.execute(
                    "alter table other replica identity default", "update other set w = 2");
            assertThatThrownBy(() -> Tap.transaction(stream))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CAPTURE_IDENTITY_UNFIT));
            assertThat(tap.capture().check(spec))
                    .anySatisfy(refusal ->
                            assertThat(refusal.code()).isEqualTo(ErrorCode.CAPTURE_IDENTITY_UNFIT));
        }
    }

    @Test
    void theEndOfTheConnectionIsToldAndNothingIsLost() {
        tap.database.execute("insert into k values (1, 'a')");
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(Tap.transaction(stream).changes()).hasSize(1);
            tap.database.execute("select pg_terminate_backend(active_pid) from"
                    + " pg_replication_slots where slot_name = '" + tap.slot + "'");
            assertThatThrownBy(() -> Tap.transaction(stream)).isInstanceOf(WeirException.class);
        }
        try (ChangeStream stream = tap.open(spec)) {
            assertThat(texts(stream)).containsExactly("1 public.k insert - [1, a, 0]");
        }
    }
}
