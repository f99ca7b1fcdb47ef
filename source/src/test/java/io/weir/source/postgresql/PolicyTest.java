package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.LossPolicy;
import io.weir.core.run.Loss;
import io.weir.source.TableSpec;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Values that the lake cannot hold. */
class PolicyTest {
    private static final Shop SHOP = new Shop();

    @BeforeAll
    static void createTables() {
        SHOP.database.execute(
                "create table odd (id int, region text, n numeric(6,2), d date, t time,"
                        + " ts timestamp, tz timestamptz not null, primary key (region, id))",
                "insert into odd values (1, 'north', 1.5, '2026-11-29', '12:00', '2026-11-29',"
                        + " '2026-11-29')",
                "create table odd_n as table odd");
    }

    private static TableSpec spec(String table, String column, LossPolicy policy) {
        return new TableSpec(table, List.of(), Map.of(column, policy));
    }

    private static final Map<String, String> TYPES = Map.of(
            "n", "source type=numeric(6,2), target type=decimal(6, 2)",
            "d", "source type=date, target type=date",
            "t", "source type=time without time zone, target type=time",
            "ts", "source type=timestamp without time zone, target type=timestamp",
            "tz", "source type=timestamp with time zone, target type=timestamptz");

    @ParameterizedTest
    @CsvSource({
        "n,  NaN,                      NaN,                        null",
        "d,  infinity,                 infinity,                   null or clamp",
        "d,  -infinity,                -infinity,                  null or clamp",
        "d,  0044-03-15 BC,            0044-03-15 BC,              null or clamp",
        "d,  10000-01-01,              10000-01-01,                null or clamp",
        "t,  24:00:00,                 24:00:00,                   null or clamp",
        "ts, infinity,                 infinity,                   null or clamp",
        "ts, 0001-12-31 23:59:59.5 BC, 0001-12-31 23:59:59.500 BC, null or clamp",
        "ts, 294276-12-31 23:59:59,    294276-12-31 23:59:59,      null or clamp",
        "tz, -infinity,                -infinity,                  clamp",
        "tz, 10000-01-01 00:00:00+00,  10000-01-01 00:00:00+00,    clamp",
    })
    void namesRowValueAndPolicies(String column, String sql, String shown, String policies) {
        SHOP.database.execute(
                "create table if not exists bad (like odd including all)",
                "truncate bad",
                "insert into bad table odd",
                "insert into bad select 7, 'sud''oeste', n, d, t, ts, tz from odd",
                "update bad set " + column + " = '" + sql + "' where id = 7");

        assertThatThrownBy(() -> SHOP.read(TableSpec.of("bad")))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        error -> assertThat(error.code())
                                .isEqualTo(ErrorCode.SOURCE_VALUE_UNREPRESENTABLE))
                .hasMessage("Cannot read table public.bad: value " + shown + " of column " + column
                        + " does not fit the target type (key=[region=sud'oeste, id=7], "
                        + TYPES.get(column) + ", possible policies=" + policies + ")");
    }

    @Test
    void namesTheRowNumberWhereThereIsNoKey() {
        SHOP.database.execute(
                "create table keyless (n numeric(6,2) not null)",
                "insert into keyless values (1), (2), ('NaN')");
        assertThatThrownBy(() -> SHOP.read(TableSpec.of("keyless")))
                .hasMessage("Cannot read table public.keyless: value NaN of column n does not fit"
                        + " the target type (row=3, range=open to open, source type=numeric(6,2),"
                        + " target type=decimal(6, 2), possible policies=none)");
    }

    @Test
    void clampDoesNotHelpNan() {
        SHOP.database.execute(
                "create table nan (n numeric(6,2))", "insert into nan values ('NaN')");
        assertThatThrownBy(() -> SHOP.read(spec("nan", "n", LossPolicy.CLAMP)))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        error -> assertThat(error.code())
                                .isEqualTo(ErrorCode.SOURCE_VALUE_UNREPRESENTABLE))
                .hasMessageContaining("possible policies=null)");
    }

    @Test
    void nullReplacesAndCounts() {
        SHOP.database.execute(
                "insert into odd_n select id, region, 'NaN' from odd",
                "insert into odd_n select id, region, 'NaN' from odd");
        Shop.Contents contents =
                SHOP.read(new TableSpec("odd_n", List.of("tz"), Map.of("n", LossPolicy.NULL)));
        assertThat(contents.column(2)).isEqualTo(Arrays.asList(new BigDecimal("1.50"), null, null));
        assertThat(contents.losses()).containsExactly(new Loss("n", 2));
    }

    @Test
    void theDigestIsOfTheValueAsStored() {
        SHOP.database.execute(
                "create table stored (n numeric(6,2), d date)",
                "insert into stored values (1, '0044-03-15 BC'), ('NaN', 'infinity')",
                "create table clamped (n numeric(6,2), d date)",
                "insert into clamped values (1, '0001-01-01'), (null, '9999-12-31')",
                "create table nulled (n numeric(6,2), d date)",
                "insert into nulled values (1, null), (null, null)");
        assertThat(SHOP.read(stored(LossPolicy.CLAMP)).balance())
                .isEqualTo(SHOP.read(TableSpec.of("clamped")).balance());
        assertThat(SHOP.read(stored(LossPolicy.NULL)).balance())
                .isEqualTo(SHOP.read(TableSpec.of("nulled")).balance());
    }

    private static TableSpec stored(LossPolicy policy) {
        return new TableSpec("stored", List.of(), Map.of("n", LossPolicy.NULL, "d", policy));
    }

    @Test
    void clampTakesTheNearestTime() {
        SHOP.database.execute(
                "create table clocks (d date, t time, ts timestamp, tz timestamptz)",
                "insert into clocks values ('infinity', '24:00', 'infinity', 'infinity'),"
                        + " ('-infinity', '23:59', '0044-03-15 BC', '-infinity')");
        Shop.Contents contents = SHOP.read(new TableSpec(
                "clocks",
                List.of(),
                Map.of(
                        "d", LossPolicy.CLAMP,
                        "t", LossPolicy.CLAMP,
                        "ts", LossPolicy.CLAMP,
                        "tz", LossPolicy.CLAMP)));
        assertThat(contents.rows())
                .containsExactly(
                        List.of(
                                (int) LocalDate.parse("9999-12-31").toEpochDay(),
                                86_399_999_999L,
                                LocalDateTime.parse("9999-12-31T23:59:59.999999"),
                                253_402_300_799_999_999L),
                        List.of(
                                (int) LocalDate.parse("0001-01-01").toEpochDay(),
                                86_340_000_000L,
                                LocalDateTime.parse("0001-01-01T00:00:00"),
                                -62_135_596_800_000_000L));
        assertThat(contents.losses())
                .containsExactly(
                        new Loss("d", 2), new Loss("t", 1), new Loss("ts", 2), new Loss("tz", 2));
    }

    @Test
    void refusesTextThatIsNotUtf8() {
        String name = SHOP.database.name() + "ascii";
        SHOP.database.execute(
                "create database " + name + " encoding 'SQL_ASCII' locale 'C' template template0");
        Shop ascii = SHOP.sibling(name);
        ascii.database.execute(
                "create table names (id int primary key, name text)",
                "insert into names values (1, 'Zoë'),"
                        + " (2, convert_from('\\x41ff42', 'SQL_ASCII'))");
        assertThatThrownBy(() -> ascii.read(TableSpec.of("names")))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        error -> assertThat(error.code())
                                .isEqualTo(ErrorCode.SOURCE_VALUE_UNREPRESENTABLE))
                .hasMessage("Cannot read table public.names after 1 rows: invalid byte sequence for"
                        + " encoding \"UTF8\": 0xff (sqlstate=22021)");
    }
}
