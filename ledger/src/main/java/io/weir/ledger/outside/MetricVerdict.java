package io.weir.ledger.outside;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.Objects;

/** What the ledger thinks of a figure that somebody else measured. Pure. */
final class MetricVerdict {
    private static final int SCALE_MAX = 100_000;

    private MetricVerdict() {}

    /**
     * The stricter of the flow's word and our own comparison: numbers by value and within the
     * tolerance, everything else as text.
     *
     * @param result PASS, FAIL or WARN
     */
    static String of(
            @Nullable String expected,
            @Nullable String actual,
            @Nullable String tolerance,
            String result) {
        return result.equals("FAIL") || !matches(expected, actual, tolerance) ? "FAIL" : result;
    }

    private static boolean matches(
            @Nullable String expected, @Nullable String actual, @Nullable String tolerance) {
        if (Objects.equals(expected, actual)) {
            return true;
        }
        BigDecimal left = number(expected);
        BigDecimal right = number(actual);
        if (left == null || right == null) {
            return false;
        }
        BigDecimal allowed = number(tolerance);
        BigDecimal difference = left.subtract(right).abs();
        return difference.compareTo(allowed == null ? BigDecimal.ZERO : allowed.abs()) <= 0;
    }

    private static @Nullable BigDecimal number(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            BigDecimal number = new BigDecimal(text);
            // 1e999999999 would be subtracted digit by digit.
            return Math.abs((long) number.scale()) > SCALE_MAX ? null : number;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
