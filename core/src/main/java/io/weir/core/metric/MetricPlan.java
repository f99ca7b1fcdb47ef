package io.weir.core.metric;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import java.util.ArrayList;
import java.util.List;

/**
 * Which metrics a run requires; the same list drives the source, the staged files and the target.
 */
public final class MetricPlan {
    private MetricPlan() {}

    /** How much of the expectation is measured at the source. */
    public enum Verify {
        /** Rows only; balances and duplicate keys are measured all the same. */
        COUNT,
        /** Rows, and of every column nulls and what its type allows. */
        METRICS
    }

    /** The metrics that one statement at the source's snapshot answers. */
    public static List<MetricName> expectation(RowSchema schema, Verify verify) {
        List<MetricName> names = new ArrayList<>();
        names.add(MetricName.ROW_COUNT);
        if (verify == Verify.METRICS) {
            for (Column column : schema.columns()) {
                names.add(new MetricName(MetricKind.NULL_COUNT, column.name()));
                for (MetricKind kind : kindsOf(column)) {
                    names.add(new MetricName(kind, column.name()));
                }
            }
        }
        return List.copyOf(names);
    }

    private static List<MetricKind> kindsOf(Column column) {
        return switch (column.canonicalType()) {
            case INTEGER, DECIMAL -> List.of(MetricKind.MIN, MetricKind.MAX, MetricKind.SUM);
            case FLOATING, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ ->
                List.of(MetricKind.MIN, MetricKind.MAX);
            case BOOLEAN -> List.of(MetricKind.SUM);
            case TEXT, PADDED_TEXT, JSON, BINARY -> List.of(MetricKind.BYTES);
            case UUID -> List.of();
        };
    }
}
