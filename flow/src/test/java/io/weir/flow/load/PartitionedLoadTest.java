package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.MetricPlan;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.PartitionBy;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.RunState;
import io.weir.source.TableSpec;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

class PartitionedLoadTest {
    private static final int ROWS = 600;

    @TempDir
    static Path directory;

    private static LoadHouse house;
    private static Witness witness;

    @BeforeAll
    static void open() {
        house = new LoadHouse(directory);
        witness = new Witness(house, directory.resolve("lake"));
        house.shop.execute("""
                create table events (
                    id bigint primary key, seen timestamptz, stamp timestamp, day date,
                    region text, code integer, small smallint, amount numeric(12, 2), uid uuid,
                    yes boolean, bytes bytea, clock time, padded char(4))
                """, """
                insert into events
                select n, timestamptz '1969-12-30 22:00:00.5+00' + n * interval '37 minutes',
                    timestamp '2026-01-30 23:00' + n % 9 * interval '7 hours',
                    date '2023-12-30' + (n % 100)::int,
                    case n % 5 when 0 then null when 1 then 'ıstanbul' when 2 then 'İzmir'
                        when 3 then '🦆 duck' else '' end,
                    n - 300, n % 7 - 3, (n % 3 - 1) * 1.25, md5((n % 10)::text)::uuid,
                    n % 2 = 0, decode(lpad(to_hex(n % 3), 4, '0'), 'hex'),
                    time '23:59' - (n % 3) * interval '1 hour', 'p' || n % 3
                from generate_series(1, 600) as n
                """);
    }

    @AfterAll
    static void close() {
        witness.close();
        house.close();
    }

    static LoadJob job(String target, String partitionBy, PublishMode publish) {
        return new LoadJob(
                target,
                "shop",
                TableSpec.of("public.events"),
                "sales." + target,
                publish,
                MetricPlan.Verify.METRICS,
                true,
                256 << 10,
                32 << 10,
                PartitionBy.parse(partitionBy),
                RecoveryMode.REISSUE,
                LoadJob.TIMEOUT_DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "years|year(seen)|seen|1969-12-31T23:54:00.500000+00:00|"
                        + "seen = '1969-12-31 23:54:00.5+00'",
                "months|month(seen)|seen|1970-01-01T00:31:00.500000+00:00|"
                        + "seen = '1970-01-01 00:31:00.5+00'",
                "days|day(seen)|seen|1970-01-01T00:31:00.500000+00:00|"
                        + "seen = '1970-01-01 00:31:00.5+00'",
                "hours|hour(stamp)|stamp|2026-02-01T17:00:00.000000|stamp = '2026-02-01 17:00'",
                "dates|month(day)|day|2024-02-29|day = '2024-02-29'",
                "regions|region|region|İzmir|region = 'İzmir'",
                "prefixes|truncate(2, region)|region|🦆 duck|region = '🦆 duck'",
                "hundreds|truncate(100, code)|code|-1|code = -1",
                "buckets|bucket(16, id)|id|77|id = 77",
                "uuids|bucket(5, uid)|uid|1679091c-5a88-0faf-6fb5-e6087eb1b2dc|"
                        + "uid = '1679091c-5a88-0faf-6fb5-e6087eb1b2dc'",
                "words|bucket(3, region)|region|ıstanbul|region = 'ıstanbul'",
                "smalls|small|small|-3|small = -3",
                "padded|padded|padded|'p1  '|padded = 'p1'",
                "both|month(day), bucket(4, id), yes|day|2024-02-29|day = '2024-02-29'",
            })
    void rowsGoWhereIcebergLooksForThem(
            String target, String partitionBy, String column, String value, String sql) {
        RunDetail detail = house.load(job(target, partitionBy, PublishMode.REPLACE), "monday");

        assertThat(detail.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(measured(detail, Stage.TARGET)).isEqualTo("0");
        String name = "sales." + target;
        assertThat(house.catalog.load(name).partitionBy()).hasToString(partitionBy);
        assertThat(witness.ids(name, Expressions.alwaysTrue()))
                .isEqualTo(LongStream.rangeClosed(1, ROWS).boxed().toList());
        assertThat(witness.misplaced(name)).isEmpty();

        Object literal = column.equals("id") || column.equals("code") || column.equals("small")
                ? Long.valueOf(value)
                : value;
        Expression filter = Expressions.equal(column, literal);
        assertThat(witness.ids(name, filter)).isEqualTo(sourceIds(sql)).isNotEmpty();
        Set<String> found = new HashSet<>();
        List<DataFile> planned = witness.files(name, filter);
        planned.forEach(file -> found.add(String.valueOf(file.partition().get(0, Object.class))));
        assertThat(found).hasSize(1);
        assertThat(planned.size()).isLessThan(witness.files(name).size());
    }

    private static List<Long> sourceIds(String sql) {
        String ids = house.shop.text("select coalesce(string_agg(id::text, ',' order by id), '')"
                + " from events where " + sql);
        return ids.isEmpty()
                ? List.of()
                : List.of(ids.split(",")).stream().map(Long::valueOf).toList();
    }

    private static String measured(RunDetail detail, Stage stage) {
        return detail.metrics().stream()
                .filter(metric -> metric.stage() == stage)
                .filter(metric -> metric.name().equals(MetricName.MISPLACED_ROWS))
                .map(metric -> String.valueOf(metric.actual()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyTypeOfIdentityIsRouted() {
        house.load(job("many", "amount, bytes, clock, yes, stamp", PublishMode.REPLACE), "monday");

        assertThat(witness.misplaced("sales.many")).isEmpty();
        assertThat(witness.ids("sales.many", Expressions.equal("amount", new BigDecimal("-1.25"))))
                .isEqualTo(sourceIds("amount = -1.25"))
                .hasSize(ROWS / 3);
    }
}
