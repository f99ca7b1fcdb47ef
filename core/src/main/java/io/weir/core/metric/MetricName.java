package io.weir.core.metric;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * Identity of a metric within its stage.
 *
 * @param column the column that is measured, null for a metric of the whole set
 */
public record MetricName(MetricKind kind, @Nullable String column) {
    public static final MetricName ROW_COUNT = new MetricName(MetricKind.ROW_COUNT, null);
    public static final MetricName DUPLICATE_KEYS = new MetricName(MetricKind.DUPLICATE_KEYS, null);
    public static final MetricName MISPLACED_ROWS = new MetricName(MetricKind.MISPLACED_ROWS, null);
    public static final MetricName BALANCE = new MetricName(MetricKind.BALANCE, null);

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static MetricName parse(String text) {
        int open = text.indexOf('(');
        if (open < 0) {
            return new MetricName(MetricKind.valueOf(text.toUpperCase(Locale.ROOT)), null);
        }
        if (!text.endsWith(")")) {
            throw new IllegalArgumentException("Invalid metric name " + text);
        }
        String kind = text.substring(0, open).toUpperCase(Locale.ROOT);
        return new MetricName(
                MetricKind.valueOf(kind), text.substring(open + 1, text.length() - 1));
    }

    /** {@code row_count}, {@code sum(amount)}. */
    @Override
    public String toString() {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return column == null ? name : name + "(" + column + ")";
    }
}
