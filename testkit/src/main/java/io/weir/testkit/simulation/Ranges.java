package io.weir.testkit.simulation;

import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;
import io.weir.testkit.simulation.SourceModel.Row;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Which rows a range holds, and what is measured of rows. */
final class Ranges {
    static final MetricName SUM = new MetricName(MetricKind.SUM, "value");

    private Ranges() {}

    static List<Row> of(List<Row> rows, KeyRange range) {
        long lower = number(range.lower(), Long.MIN_VALUE);
        long upper = number(range.upper(), Long.MAX_VALUE);
        List<Row> found = new ArrayList<>();
        for (Row row : rows) {
            if (row.id() >= lower && row.id() < upper) {
                found.add(row);
            }
        }
        return found;
    }

    static String sum(List<Row> rows) {
        long sum = 0;
        for (Row row : rows) {
            sum += row.value();
        }
        return Long.toString(sum);
    }

    private static long number(@Nullable Bound bound, long open) {
        return bound == null ? open : Long.parseLong(bound.text());
    }
}
