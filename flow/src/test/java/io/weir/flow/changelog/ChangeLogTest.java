package io.weir.flow.changelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.capture.ChangeStream;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.BalanceSum;
import io.weir.table.LocalFileIO;
import io.weir.table.LogPosition;
import io.weir.table.LogTable;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

/** What is in a change log, and that it is there once. */
class ChangeLogTest {
    private final TestDatabase source = TestPostgres.shared().createDatabase();
    private final TestDatabase books = TestPostgres.shared().createDatabase();

    @TempDir
    private Path directory;

    private LogHouse house;

    @BeforeEach
    void open() {
        LogHouse.furnish(source);
        house = new LogHouse(source, books, directory, LogHouse.ENGINE_BYTES);
        house.capture.createSlot(house.spec);
    }

    @AfterEach
    void close() {
        house.dropSlot();
        house.close();
    }

    private void equalToTheAudit() {
        for (String table : LogHouse.TABLES) {
            assertThat(house.logged(table)).as(table).isEqualTo(house.audited(table));
        }
    }

    @Test
    void everyChangeIsThereWithBothImages() {
        source.execute(
                "insert into a values (1, 1, 12.5, 'FFEEDDCC-BBAA-9988-7766-554433221100', 'x'),"
                        + " (2, 1, null, null, null)",
                "begin; update a set version = 2, price = -0.01 where id = 1;"
                        + " update a set id = 3, version = 3 where id = 2;"
                        + " delete from a where id = 1; truncate b, c;"
                        + " insert into b values (7, 1); commit");
        house.catchUp();
        equalToTheAudit();
        assertThat(house.query("select ordinal, op, before.price, before.code, after.price,"
                        + " before is null, after is null from sales.a_log"
                        + " order by place, ordinal"))
                .containsExactly(
                        "1 insert null null 12.50 true false",
                        "2 insert null null null true false",
                        "1 update 12.50 ffeeddcc-bbaa-9988-7766-554433221100 -0.01 false false",
                        "2 delete null null null false true",
                        "3 insert null null null true false",
                        "4 delete -0.01 ffeeddcc-bbaa-9988-7766-554433221100 null false true");
        assertThat(house.query("select distinct before_missing, after_missing from sales.a_log"))
                .containsExactly("null null");
        // The digest after a change is the digest before the next one of the row.
        assertThat(house.query("select count(*) from sales.a_log x join sales.a_log y"
                        + " on x.after.id = 1 and y.before.id = 1"
                        + " and x.after_digest = y.before_digest"))
                .containsExactly("2");
        assertThat(house.query(
                        "select count(*), count(distinct place), count(distinct transaction),"
                                + " min(committed) > timestamptz '2020-01-01' from sales.a_log"))
                .containsExactly("6 2 2 true");
    }

    /** Iceberg's own reader finds every field of the structs by its id. */
    @Test
    void otherReadersSeeTheSameChanges() throws IOException {
        source.execute(
                "insert into a values (1, 1, 12.5, 'FFEEDDCC-BBAA-9988-7766-554433221100', 'x')",
                "update a set version = 2, price = null",
                "truncate a");
        house.catchUp();
        List<String> seen = new ArrayList<>();
        try (JdbcCatalog catalog = new JdbcCatalog()) {
            catalog.initialize(
                    "weir",
                    Map.of(
                            "uri", books.url() + "?currentSchema=weir_catalog",
                            "jdbc.user", books.user(),
                            "jdbc.password", books.password(),
                            "jdbc.schema-version", "V1",
                            "warehouse", LocalFileIO.locationOf(directory.resolve("lake")),
                            "io-impl", LocalFileIO.class.getName()));
            try (CloseableIterable<Record> records = IcebergGenerics.read(
                            catalog.loadTable(TableIdentifier.parse("sales.a_log")))
                    .build()) {
                records.forEach(record -> seen.add(record.getField("op") + " "
                        + record.getField("before") + " " + record.getField("after")));
            }
        }
        String code = "ffeeddcc-bbaa-9988-7766-554433221100";
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "insert null Record(1, 1, 12.50, " + code + ", x)",
                        "update Record(1, 1, 12.50, " + code + ", x) Record(1, 2, null, " + code
                                + ", x)",
                        "truncate null null");
    }

    /** What was read at a snapshot and what the log holds of the same rows balance. */
    @Test
    void digestsInTheLogAreThoseOfTheRowsAtTheSource() throws IOException {
        source.execute("insert into a select i, i * 7, i * 0.01, gen_random_uuid(), 'ü' || i"
                + " from generate_series(1, 500) i");
        house.catchUp();
        BalanceSum logged = new BalanceSum();
        for (String text : house.query("select after_digest from sales.a_log")) {
            UUID digest = UUID.fromString(text);
            logged.add(digest.getMostSignificantBits(), digest.getLeastSignificantBits());
        }
        assertThat(logged.balance().rows()).isEqualTo(500);
        assertThat(logged.balance()).isEqualTo(house.balance("public.a"));
    }

    @Test
    void aLogGoesOnWhereItEnded() {
        source.execute("insert into a values (1, 1)");
        house.catchUp();
        LogPosition first = log("a").position();
        source.execute("insert into b values (1, 1)", "update a set version = 2");
        house.catchUp();
        house.catchUp();
        equalToTheAudit();
        assertThat(log("a").position().place()).isGreaterThan(first.place());
        assertThat(log("a").position().text()).matches("[0-9A-F]+/[0-9A-F]+");
    }

    private LogTable log(String table) {
        return Objects.requireNonNull(house.logs().get("public." + table));
    }

    /** Ends after every step there is, one after the other, and goes on each time. */
    @Test
    void anEndAfterAnyStepLosesNothingAndRepeatsNothing() {
        for (int end = 1; end <= 12; end++) {
            source.execute("begin; insert into a values (" + end + ", 1); insert into b values ("
                    + end + ", 1); update a set version = version + 1; truncate c;"
                    + " insert into c values (" + end + ", 1); commit");
            source.execute("update b set version = version + 1");
            endAfter(end);
        }
        house.catchUp();
        equalToTheAudit();
    }

    private void endAfter(int steps) {
        int[] left = {steps};
        Consumer<LogStep> listener = step -> {
            if (--left[0] == 0) {
                throw new IllegalStateException("ended after " + step);
            }
        };
        assertThatThrownBy(() ->
                        house.keepUntil(house.settings(1, Duration.ZERO), Long.MAX_VALUE, listener))
                .hasMessageStartingWith("ended after");
    }

    @Test
    void onlyTheLastClaimAppends() {
        source.execute("insert into a values (1, 1)");
        try (ChangeStream stream = house.stream();
                ChangeLogs keeper =
                        house.keeper(stream, house.settings(1, Duration.ZERO), step -> {})) {
            long claimed = log("a").claim();
            assertThat(claimed).isEqualTo(2);
            assertThatThrownBy(() -> keeper.run(() -> false))
                    .isInstanceOfSatisfying(WeirException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MOVED);
                        assertThat(e).hasMessageContaining("(epoch=1, claimed=2)");
                    });
        }
        house.catchUp();
        equalToTheAudit();
    }

    @Test
    void nothingIsCommittedWhenTheSourceNoLongerTellsEverything() {
        source.execute("insert into a values (1, 1)");
        house.logs();
        try (ChangeStream stream = house.stream();
                ChangeLogs keeper =
                        house.keeper(stream, house.settings(1, Duration.ZERO), step -> {})) {
            source.execute("alter publication weir_pub set (publish = 'insert, update, delete')");
            assertThatThrownBy(() -> keeper.run(() -> false))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code())
                                    .isEqualTo(ErrorCode.CAPTURE_PUBLICATION_UNFIT));
        }
        assertThat(log("a").position()).isEqualTo(LogPosition.NONE);
        source.execute(
                "alter publication weir_pub set (publish = 'insert, update, delete, truncate')");
        house.catchUp();
        equalToTheAudit();
    }

    @Test
    void anotherTableIsNoLogOfTheSource() {
        Map<String, LogTable> logs = house.logs();
        assertThatThrownBy(
                        () -> house.catalog.prepareLog("sales.a_log", "public.b", log("b").rows()))
                .hasMessageContaining("weir.log.source is public.a, not public.b");
        assertThat(logs).hasSize(3);
    }
}
