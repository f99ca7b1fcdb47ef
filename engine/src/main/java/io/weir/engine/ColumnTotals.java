package io.weir.engine;

import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.MetricText;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * What has been seen of one column: enough for each of its metrics. Exact numbers are kept as 128
 * bits, of decimals the unscaled ones. Not thread-safe; totals of several threads are added up.
 */
final class ColumnTotals {
    private long values;
    private long nulls;
    private long bytes;
    private final WideSum sum = new WideSum();
    private long minHigh = Long.MAX_VALUE;
    private long minLow = -1;
    private long maxHigh = Long.MIN_VALUE;
    private long maxLow;
    private double minFloating = Double.NaN;
    private double maxFloating = Double.NEGATIVE_INFINITY;

    void addNulls(long count) {
        nulls += count;
    }

    /** Values that are not NULL; each is to be included in what the metrics of its type need. */
    void addValues(long count) {
        values += count;
    }

    void addBytes(long count) {
        bytes += count;
    }

    void add(long value) {
        sum.add(value);
    }

    void add(long high, long low) {
        sum.add(high, low);
    }

    void include(long value) {
        include(value >> 63, value);
    }

    void include(long high, long low) {
        if (isLess(high, low, minHigh, minLow)) {
            minHigh = high;
            minLow = low;
        }
        if (isLess(maxHigh, maxLow, high, low)) {
            maxHigh = high;
            maxLow = low;
        }
    }

    /** NaN is above all others, as in PostgreSQL. */
    void include(double value) {
        if (Double.compare(value, minFloating) < 0) {
            minFloating = value;
        }
        if (Double.compare(value, maxFloating) > 0) {
            maxFloating = value;
        }
    }

    void add(ColumnTotals other) {
        values += other.values;
        nulls += other.nulls;
        bytes += other.bytes;
        sum.add(other.sum);
        if (other.values > 0) {
            include(other.minHigh, other.minLow);
            include(other.maxHigh, other.maxLow);
            include(other.minFloating);
            include(other.maxFloating);
        }
    }

    /**
     * Checks that a column has such a metric.
     *
     * @throws IllegalArgumentException if columns of its type do not
     */
    static void require(MetricKind kind, Column column) {
        boolean possible = switch (kind) {
            case NULL_COUNT -> true;
            case MIN, MAX ->
                switch (column.canonicalType()) {
                    case INTEGER, DECIMAL, FLOATING, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> true;
                    case BOOLEAN, TEXT, PADDED_TEXT, BINARY, UUID, JSON -> false;
                };
            case SUM ->
                switch (column.canonicalType()) {
                    case BOOLEAN, INTEGER, DECIMAL -> true;
                    case FLOATING,
                            TEXT,
                            PADDED_TEXT,
                            BINARY,
                            DATE,
                            TIME,
                            TIMESTAMP,
                            TIMESTAMP_TZ,
                            UUID,
                            JSON -> false;
                };
            case BYTES ->
                switch (column.canonicalType()) {
                    case TEXT, PADDED_TEXT, JSON, BINARY -> true;
                    case BOOLEAN,
                            INTEGER,
                            FLOATING,
                            DECIMAL,
                            DATE,
                            TIME,
                            TIMESTAMP,
                            TIMESTAMP_TZ,
                            UUID -> false;
                };
            case ROW_COUNT, DUPLICATE_KEYS, MISPLACED_ROWS, BALANCE -> false;
        };
        if (!possible) {
            throw new IllegalArgumentException("No metric " + new MetricName(kind, column.name())
                    + " of a column of type " + column.type());
        }
    }

    /**
     * The text of a metric; null where there is none, as in SQL.
     *
     * @throws IllegalArgumentException if columns of this type have no such metric
     */
    @Nullable
    String text(MetricKind kind, Column column) {
        require(kind, column);
        if (kind == MetricKind.NULL_COUNT) {
            return Long.toString(nulls);
        }
        if (kind == MetricKind.SUM && column.canonicalType() == CanonicalType.BOOLEAN) {
            return sum.value().toString();
        }
        if (values == 0) {
            return null;
        }
        return switch (kind) {
            case BYTES -> Long.toString(bytes);
            case SUM -> exact(sum.value(), column);
            case MIN -> extreme(column, minHigh, minLow, minFloating);
            case MAX -> extreme(column, maxHigh, maxLow, maxFloating);
            case NULL_COUNT, ROW_COUNT, DUPLICATE_KEYS, MISPLACED_ROWS, BALANCE ->
                throw new IllegalStateException(kind.name());
        };
    }

    private static String extreme(Column column, long high, long low, double floating) {
        return switch (column.canonicalType()) {
            case FLOATING -> MetricText.floating(floating);
            case DATE -> ValueText.date(low);
            case TIME -> ValueText.time(low);
            case TIMESTAMP -> ValueText.timestamp(low);
            case TIMESTAMP_TZ -> ValueText.timestamp(low) + "Z";
            case INTEGER, DECIMAL, BOOLEAN, TEXT, PADDED_TEXT, BINARY, UUID, JSON ->
                exact(wide(high, low), column);
        };
    }

    private static String exact(BigInteger unscaled, Column column) {
        int scale = column.type().typeId() == Type.TypeID.DECIMAL
                ? ((Types.DecimalType) column.type()).scale()
                : 0;
        String text = MetricText.number(new BigDecimal(unscaled, scale).toPlainString());
        return text == null ? "0" : text;
    }

    private static BigInteger wide(long high, long low) {
        WideSum value = new WideSum();
        value.add(high, low);
        return value.value();
    }

    private static boolean isLess(long high, long low, long otherHigh, long otherLow) {
        return high < otherHigh || (high == otherHigh && Long.compareUnsigned(low, otherLow) < 0);
    }
}
