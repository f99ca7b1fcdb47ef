package io.weir.core.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.metric.MetricPlan.Verify;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class MetricPlanTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    boolean        | boolean       | null_count(c) sum(c)
                    int            | smallint      | null_count(c) min(c) max(c) sum(c)
                    long           | bigint        | null_count(c) min(c) max(c) sum(c)
                    decimal(12, 2) | numeric(12,2) | null_count(c) min(c) max(c) sum(c)
                    double         | real          | null_count(c) min(c) max(c)
                    date           | date          | null_count(c) min(c) max(c)
                    time           | time          | null_count(c) min(c) max(c)
                    timestamp      | timestamp     | null_count(c) min(c) max(c)
                    timestamptz    | timestamptz   | null_count(c) min(c) max(c)
                    string         | text          | null_count(c) bytes(c)
                    string         | character(5)  | null_count(c) bytes(c)
                    string         | jsonb         | null_count(c) bytes(c)
                    binary         | bytea         | null_count(c) bytes(c)
                    uuid           | uuid          | null_count(c)
                    """)
    void everyTypeHasTheMetricsThatItAllows(String iceberg, String source, String expected) {
        Column column = new Column(
                1, "c", source, Types.fromPrimitiveString(iceberg), false, LossPolicy.FAIL);
        RowSchema schema = new RowSchema(List.of(column), List.of());
        List<String> names = MetricPlan.expectation(schema, Verify.METRICS).stream()
                .map(MetricName::toString)
                .toList();
        assertThat(names.get(0)).isEqualTo("row_count");
        assertThat(String.join(" ", names.subList(1, names.size()))).isEqualTo(expected);
        assertThat(MetricPlan.expectation(schema, Verify.COUNT))
                .containsExactly(MetricName.ROW_COUNT);
    }

    @Test
    void columnsKeepTheirOrder() {
        Column first = new Column(9, "z", "uuid", Types.UUIDType.get(), false, LossPolicy.FAIL);
        Column second = new Column(2, "a", "uuid", Types.UUIDType.get(), false, LossPolicy.FAIL);
        RowSchema schema = new RowSchema(List.of(first, second), List.of());
        assertThat(MetricPlan.expectation(schema, Verify.METRICS))
                .containsExactly(
                        MetricName.ROW_COUNT,
                        new MetricName(MetricKind.NULL_COUNT, "z"),
                        new MetricName(MetricKind.NULL_COUNT, "a"));
    }
}
