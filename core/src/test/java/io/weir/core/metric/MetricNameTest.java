package io.weir.core.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;

class MetricNameTest {
    @Test
    void readsBackItsText() {
        for (MetricKind kind : MetricKind.values()) {
            for (String column : List.of("amount", "Amount", "a(b)", "it's (1) )", "ı İ", "x y")) {
                MetricName name = new MetricName(kind, column);
                assertThat(MetricName.parse(name.toString())).isEqualTo(name);
            }
            MetricName name = new MetricName(kind, null);
            assertThat(MetricName.parse(name.toString())).isEqualTo(name);
        }
    }

    @Test
    void writesTheSameTextInEveryLocale() {
        assertThat(new MetricName(MetricKind.MIN, "id")).hasToString("min(id)");
        assertThat(MetricName.DUPLICATE_KEYS).hasToString("duplicate_keys");
        assertThat(MetricName.parse("min(id)")).isEqualTo(new MetricName(MetricKind.MIN, "id"));
    }

    @Test
    void refusesTextThatIsNoMetric() {
        assertThatThrownBy(() -> MetricName.parse("sum(amount"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid metric name sum(amount");
        assertThatThrownBy(() -> MetricName.parse("median(amount)"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MEDIAN");
    }

    @Test
    void metricNamesSubjectExpectedAndFound() {
        Metric metric = new Metric(
                Stage.STAGING,
                "0000-0.parquet",
                new MetricName(MetricKind.SUM, "amount"),
                "12.5",
                null,
                Verdict.FAIL);
        assertThat(metric).hasToString("0000-0.parquet sum(amount): expected 12.5, found null");
    }
}
