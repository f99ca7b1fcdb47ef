package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.MetricPlan;
import io.weir.core.row.LossPolicy;
import io.weir.source.SourceSnapshot;
import io.weir.source.TableSpec;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class ExpectationTest {
    private static final Shop SHOP = new Shop();

    private static Map<String, @Nullable String> measure(TableSpec spec) {
        return measure(SHOP, spec);
    }

    private static Map<String, @Nullable String> measure(Shop shop, TableSpec spec) {
        try (SourceSnapshot snapshot = shop.snapshot(spec)) {
            List<MetricName> names = MetricPlan.expectation(
                    snapshot.table(spec).schema(), MetricPlan.Verify.METRICS);
            Map<String, @Nullable String> texts = new LinkedHashMap<>();
            for (Measure measure : snapshot.expectation(spec, names)) {
                texts.put(measure.name().toString(), measure.value());
            }
            assertThat(texts).hasSize(names.size());
            return texts;
        }
    }

    @Test
    void measuresEveryTypeInTheTextOfMetrics() {
        SHOP.database.execute(
                "create table every (i2 int2, i8 bigint, f4 real, f8 float8, n numeric(12,2),"
                        + " ok boolean, t text, c character(4), j jsonb, b bytea, d date, tm time,"
                        + " ts timestamp, tz timestamptz, u uuid)",
                "insert into every values (-5, 9223372036854775807, 0.1, '-Infinity', 1.50,"
                        + " true, 'ä', 'ab', '{\"a\":1}', '\\x0102', '0001-01-01', '00:00',"
                        + " '0001-01-01',"
                        + " '2026-11-29 12:00:00.5+02', gen_random_uuid())",
                "insert into every values (7, 9223372036854775807, 'NaN', 1e300, -20, false,"
                        + " 'xyz', '', '[]', '', '9999-12-31', '23:59:59.999999',"
                        + " '9999-12-31 23:59:59.999999',"
                        + " '1986-08-26 00:30:00 Asia/Shanghai', null)",
                "insert into every (ok) values (true)");
        Map<String, @Nullable String> texts = measure(TableSpec.of("every"));
        assertThat(texts)
                .containsEntry("row_count", "3")
                .containsEntry("null_count(i2)", "1")
                .containsEntry("null_count(ok)", "0")
                .containsEntry("null_count(u)", "2")
                .containsEntry("min(i2)", "-5")
                .containsEntry("max(i2)", "7")
                .containsEntry("sum(i2)", "2")
                .containsEntry("sum(i8)", "18446744073709551614")
                .containsEntry("min(f4)", "0.10000000149011612")
                .containsEntry("max(f4)", "NaN")
                .containsEntry("min(f8)", "-Infinity")
                .containsEntry("max(f8)", "1.0E300")
                .containsEntry("min(n)", "-20")
                .containsEntry("max(n)", "1.5")
                .containsEntry("sum(n)", "-18.5")
                .containsEntry("sum(ok)", "2")
                .containsEntry("bytes(t)", "5")
                .containsEntry("bytes(c)", "8")
                .containsEntry("bytes(j)", "10")
                .containsEntry("bytes(b)", "2")
                .containsEntry("min(d)", "0001-01-01")
                .containsEntry("max(d)", "9999-12-31")
                .containsEntry("min(tm)", "00:00:00.000000")
                .containsEntry("max(tm)", "23:59:59.999999")
                .containsEntry("min(ts)", "0001-01-01T00:00:00.000000")
                .containsEntry("max(ts)", "9999-12-31T23:59:59.999999")
                .containsEntry("min(tz)", "1986-08-25T15:30:00.000000Z")
                .containsEntry("max(tz)", "2026-11-29T10:00:00.500000Z");
    }

    @Test
    void hasNoValueWhereThereIsNone() {
        SHOP.database.execute("create table nothing (i int, t text, ok boolean, f float8)");
        Map<String, @Nullable String> texts = measure(TableSpec.of("nothing"));
        assertThat(texts)
                .containsEntry("row_count", "0")
                .containsEntry("null_count(i)", "0")
                .containsEntry("sum(ok)", "0")
                .containsEntry("min(i)", null)
                .containsEntry("sum(i)", null)
                .containsEntry("bytes(t)", null)
                .containsEntry("max(f)", null);
    }

    /** The statement measures what the lake will hold, so policies are part of it. */
    @Test
    void measuresValuesAfterTheirPolicies() {
        SHOP.database.execute(
                "create table bent (n numeric(6,2), d date, tm time, ts timestamp, tz timestamptz)",
                "insert into bent values ('NaN', 'infinity', '24:00', '-infinity', 'infinity'),"
                        + " (1, '2026-11-29', '12:00', '2026-11-29', '2026-11-29 00:00Z'),"
                        + " (null, '0044-03-15 BC', null, null, '-infinity')");
        assertThat(measure(bent(LossPolicy.NULL)))
                .containsEntry("null_count(n)", "2")
                .containsEntry("max(n)", "1")
                .containsEntry("sum(n)", "1")
                .containsEntry("null_count(d)", "2")
                .containsEntry("min(d)", "2026-11-29")
                .containsEntry("null_count(tm)", "2")
                .containsEntry("max(tm)", "12:00:00.000000")
                .containsEntry("min(ts)", "2026-11-29T00:00:00.000000")
                .containsEntry("null_count(tz)", "2");
        assertThat(measure(bent(LossPolicy.CLAMP)))
                .containsEntry("null_count(d)", "0")
                .containsEntry("min(d)", "0001-01-01")
                .containsEntry("max(d)", "9999-12-31")
                .containsEntry("null_count(tm)", "1")
                .containsEntry("max(tm)", "23:59:59.999999")
                .containsEntry("min(ts)", "0001-01-01T00:00:00.000000")
                .containsEntry("null_count(ts)", "1")
                .containsEntry("min(tz)", "0001-01-01T00:00:00.000000Z")
                .containsEntry("max(tz)", "9999-12-31T23:59:59.999999Z");
        // Without a policy the run fails when the row is read; measuring must not fail before.
        assertThat(measure(bent(LossPolicy.FAIL))).containsEntry("max(n)", "NaN");
    }

    private static TableSpec bent(LossPolicy policy) {
        return new TableSpec(
                "bent",
                List.of(),
                Map.of(
                        "n", policy == LossPolicy.CLAMP ? LossPolicy.FAIL : policy,
                        "d", policy,
                        "tm", policy,
                        "ts", policy,
                        "tz", policy));
    }

    @Test
    void countsBytesAsTheyArriveNotAsTheyAreStored() {
        String name = SHOP.database.name() + "latin";
        SHOP.database.execute(
                "create database " + name + " encoding 'LATIN1' locale 'C' template template0");
        Shop latin = SHOP.sibling(name);
        latin.database.execute(
                "create table names (t text, c character(4))",
                "insert into names values ('Zoë', 'é')");
        assertThat(measure(latin, TableSpec.of("names")))
                .containsEntry("bytes(t)", "4")
                .containsEntry("bytes(c)", "5");
        assertThat(latin.read(TableSpec.of("names")).rows())
                .containsExactly(List.of("Zoë", "é   "));
    }

    @Test
    void measuresMoreMetricsThanARowOfResultsCanHave() {
        String columns = IntStream.range(0, 1_000)
                .mapToObj(i -> "c" + i + " int")
                .collect(Collectors.joining(", "));
        String values = IntStream.range(0, 1_000)
                .mapToObj(i -> "i + " + i)
                .collect(Collectors.joining(", "));
        SHOP.database.execute(
                "create table wide (" + columns + ")",
                "insert into wide select " + values + " from generate_series(1, 100) i",
                "alter table wide set (parallel_workers = 2)");
        Map<String, @Nullable String> texts = measure(TableSpec.of("wide"));
        assertThat(texts).hasSize(4_001);
        assertThat(Objects.requireNonNull(texts.get("max(c999)"))).isEqualTo("1099");
    }

    @Test
    void refusesMetricsThatNoStatementAnswers() {
        SHOP.database.execute("create table plain (t text)");
        TableSpec spec = TableSpec.of("plain");
        try (SourceSnapshot snapshot = SHOP.snapshot(spec)) {
            for (MetricName name : List.of(
                    MetricName.BALANCE,
                    MetricName.DUPLICATE_KEYS,
                    new MetricName(MetricKind.SUM, "t"),
                    new MetricName(MetricKind.MIN, "nowhere"))) {
                assertThatThrownBy(() -> snapshot.expectation(spec, List.of(name)))
                        .hasMessage("Cannot measure " + name + ": no statement at a source answers"
                                + " it");
            }
        }
    }
}
