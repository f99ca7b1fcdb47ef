package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.PartitionKey;
import io.weir.core.route.Route;
import io.weir.core.route.RowRouter;
import io.weir.core.row.Balance;
import io.weir.core.row.LossPolicy;
import io.weir.core.run.KeyRange;
import io.weir.source.ChunkTotals;
import io.weir.source.PartitionRows;
import io.weir.source.SourceSnapshot;
import io.weir.source.SplitOptions;
import io.weir.source.TableInspection;
import io.weir.source.TableSpec;

import org.apache.arrow.vector.ipc.ArrowReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class KeyedReadTest {
    private static final Shop SHOP = new Shop();

    @BeforeAll
    static void fill() {
        SHOP.database.execute("create type mood as enum ('glad', 'sad')", """
                create table keyed (
                    id bigint, at timestamptz, wall timestamp, day date, word text,
                    short smallint, uid uuid, mood mood, code varchar(9))
                """, """
                insert into keyed
                select n, timestamptz '2026-11-29 00:00:00+00' + (n - 1) * interval '30 minutes',
                    timestamp '0001-01-01 00:00' + (n - 1) * interval '30 minutes',
                    date '9999-12-31' - (n % 3)::int, case n % 3 when 0 then 'o''tree' when 1
                    then E'back\\\\slash' else 'O''TREE' end, n % 5 - 2, md5(n::text)::uuid,
                    case when n % 2 = 0 then 'sad' else 'glad' end::mood, 'c' || n % 4
                from generate_series(1, 200) as n
                """, """
                insert into keyed values
                    (201, 'infinity', '-infinity', 'infinity', null, null, null, null, null),
                    (202, null, null, null, null, null, null, null, null)
                """);
    }

    private static TableSpec spec(String field, String key, Map<String, LossPolicy> policies) {
        return new TableSpec("keyed", List.of(), policies)
                .keyed(new PartitionKey(PartitionBy.parse(field).first(), key));
    }

    /** What the readers deliver, range after range, and the totals of their chunks. */
    private static List<ChunkTotals> read(
            SourceSnapshot snapshot,
            TableSpec spec,
            PartitionBy partitionBy,
            List<List<@Nullable Object>> rows) {
        List<ChunkTotals> totals = new ArrayList<>();
        for (KeyRange range : snapshot.split(spec, new SplitOptions(8 << 10, 100))) {
            try (PartitionRows part = snapshot.reader(0)
                    .read(spec, snapshot.table(spec).schema(), range, partitionBy)) {
                while (!part.exhausted()) {
                    try (ArrowReader chunk = part.nextChunk(2_000)) {
                        Shop.drain(chunk, rows);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    totals.add(part.totals());
                }
            }
        }
        return totals;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "day(at)|2026-11-30|at >= '2026-11-30 00:00+00' and at < '2026-12-01 00:00+00'",
                "hour(at)|2026-11-29-23|at >= '2026-11-29 23:00+00' and at < '2026-11-30 00:00+00'",
                "month(at)|2026-12|at >= '2026-12-01 00:00+00' and at < 'infinity'",
                "year(wall)|0001|wall > '-infinity'",
                "day(wall)|0001-01-02|wall::date = '0001-01-02'",
                "day|9999-12-31|day = '9999-12-31'",
                "year(day)|9999|day <= '9999-12-31'",
                "word|o'tree|word = 'o''tree'",
                "word|back\\slash|word like 'back%'",
                "short|-2|short = -2",
                "short|40000|false",
                "id|-9223372036854775808|false",
                "uid|c4ca4238-a0b9-2382-0dcc-509a6f75849b|id = 1",
                "mood|sad|mood = 'sad'",
                "mood|cross|false",
                "code|c3|code = 'c3'",
            })
    void readsAndMeasuresOnlyWhatTheKeyNames(String field, String key, String condition) {
        TableSpec spec = spec(field, key, Map.of());
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (SourceSnapshot snapshot = SHOP.snapshot(spec)) {
            read(snapshot, spec, PartitionBy.NOTHING, rows);

            String expected = SHOP.database.text("select count(*) || '/' || coalesce(sum(id), 0)"
                    + " from keyed where " + condition);
            long sum = rows.stream().mapToLong(row -> (Long) row.get(0)).sum();
            assertThat(rows.size() + "/" + sum).isEqualTo(expected);
            assertThat(snapshot.expectation(spec, List.of(MetricName.ROW_COUNT)))
                    .containsExactly(
                            new Measure(MetricName.ROW_COUNT, Integer.toString(rows.size())));
        }
    }

    @Test
    void aClampedValueBelongsWhereItIsStored() {
        TableSpec spec = spec("day", "9999-12-31", Map.of("day", LossPolicy.CLAMP));
        try (SourceSnapshot snapshot =
                SHOP.snapshot(spec("day", "9999-12-31", Map.of("day", LossPolicy.CLAMP)))) {
            assertThat(snapshot.expectation(spec, List.of(MetricName.ROW_COUNT))
                            .get(0)
                            .value())
                    .isEqualTo(SHOP.database.text(
                            "select count(*) from keyed where day >= '9999-12-31'"));
        }
    }

    @Test
    void showsTheConditionBehindTheRange() {
        TableSpec spec = spec("word", "O'TREE", Map.of());
        try (SourceSnapshot snapshot = SHOP.source().openSnapshot(List.of(spec), 0)) {
            assertThat(snapshot.sql(spec, KeyRange.ALL))
                    .endsWith(" from \"public\".\"keyed\" where (\"word\" = 'O''TREE'"
                            + " and (\"word\")::text collate \"C\" = 'O''TREE'))"
                            + " to stdout (format binary)");
        }
    }

    @Test
    void everyRowSaysWhichRouteItTakes() {
        TableSpec spec = TableSpec.of("keyed");
        PartitionBy by = PartitionBy.parse("mood, truncate(2, word), hour(at)");
        TableSpec finite =
                new TableSpec("keyed", List.of("wall", "day"), Map.of("at", LossPolicy.NULL), null);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<ChunkTotals> totals;
        try (SourceSnapshot snapshot = SHOP.snapshot(finite)) {
            totals = read(snapshot, finite, by, rows);
        }

        assertThat(spec.key()).isNull();
        assertThat(totals).hasSizeGreaterThan(2);
        int row = 0;
        for (ChunkTotals chunk : totals) {
            Balance sum = chunk.routes().stream()
                    .map(ChunkTotals.RouteTotals::balance)
                    .reduce(Balance.ZERO, Balance::plus);
            assertThat(sum).isEqualTo(chunk.balance());
            long[] counts = new long[chunk.routes().size()];
            for (int i = 0; i < chunk.rows(); i++) {
                List<@Nullable Object> values = rows.get(row++);
                int number = (Integer) values.get(values.size() - 1);
                counts[number]++;
                Route route = chunk.routes().get(number).route();
                assertThat(route.values().get(0)).isEqualTo(values.get(5));
                Object word = values.get(2);
                assertThat(route.values().get(1))
                        .isEqualTo(word == null ? null : word.toString().substring(0, 2));
            }
            for (int i = 0; i < counts.length; i++) {
                assertThat(chunk.routes().get(i).balance().rows()).isEqualTo(counts[i]);
            }
        }
        // The infinite time became NULL, and its route is that of NULL.
        assertThat(totals.stream().flatMap(chunk -> chunk.routes().stream()))
                .extracting(ChunkTotals.RouteTotals::route)
                .contains(Route.of(null, null, null));
    }

    @Test
    void tooManyRoutesEndTheChunkWithAnError() {
        SHOP.database.execute("create table spread as select n from generate_series(1, "
                + (RowRouter.ROUTES_MAX + 1) + ") as n");
        TableSpec spec = TableSpec.of("spread");
        try (SourceSnapshot snapshot = SHOP.snapshot(spec);
                PartitionRows rows = snapshot.reader(0)
                        .read(
                                spec,
                                snapshot.table(spec).schema(),
                                KeyRange.ALL,
                                PartitionBy.parse("n"))) {
            try (ArrowReader chunk = rows.nextChunk(Shop.CHUNK_BYTES)) {
                assertThatThrownBy(() -> Shop.drain(chunk, new ArrayList<>()))
                        .isInstanceOfSatisfying(
                                WeirException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
                        .hasMessageContaining("public.spread")
                        .hasMessageContaining("partition-by=n, files>4096");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "day(at)|2026|CONFIG_INVALID|a day such as 2026-11-29",
                "day(nowhere)|2026-11-29|SOURCE_COLUMN_NOT_FOUND|named in=partition-by",
                "at|2026-11-29|CONFIG_INVALID|first field of partition-by must be",
            })
    void aKeyThatNamesNothingIsARefusal(String field, String key, String code, String reason) {
        TableInspection inspection = SHOP.source().inspect(spec(field, key, Map.of()));

        assertThat(inspection.table()).isNull();
        assertThat(inspection.refusals()).singleElement().satisfies(refusal -> {
            assertThat(refusal.code().name()).isEqualTo(code);
            assertThat(refusal.message() + refusal.hint()).contains(reason);
        });
    }

    @Test
    void aColumnThatIsLeftOutNamesNothing() {
        TableSpec spec = new TableSpec("keyed", List.of("at"), Map.of())
                .keyed(new PartitionKey(PartitionBy.parse("day(at)").first(), "2026-11-29"));

        assertThat(SHOP.source().inspect(spec).refusals())
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.message())
                        .contains("column at is left out and named in partition-by"));
    }
}
