package io.weir.core.metric;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/**
 * One text per value, whoever measured it: two measurements agree only if their texts are equal.
 *
 * <p>Exact numbers are plain decimals without trailing zeros; floating numbers are what {@link
 * Double#toString} says; dates are {@code 2026-11-29}, times {@code 23:59:59.123456}, timestamps
 * {@code 2026-11-29T23:59:59.123456}, with time zone the same in UTC with {@code Z}.
 */
public final class MetricText {
    private MetricText() {}

    /** An exact number from its SQL text; null stays null. */
    public static @Nullable String number(@Nullable String sqlText) {
        if (sqlText == null) {
            return null;
        }
        BigDecimal number = new BigDecimal(sqlText);
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    /**
     * A floating number. Zeros of both signs are one text: they compare as equal, so which of them
     * an engine names as minimum or maximum is chance.
     */
    public static String floating(double value) {
        return value == 0 ? "0.0" : Double.toString(value);
    }
}
