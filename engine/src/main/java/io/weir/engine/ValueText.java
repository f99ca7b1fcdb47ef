package io.weir.engine;

import java.time.LocalDate;

/**
 * Dates and times in the one text form of {@link io.weir.core.metric.MetricText}, whatever zone or
 * locale the machine has.
 */
final class ValueText {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long SECONDS_PER_MINUTE = 60;
    private static final long MINUTES_PER_HOUR = 60;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    private ValueText() {}

    /** {@code 2026-11-29}; years have at least four digits, those before year 1 a minus sign. */
    static String date(long epochDay) {
        LocalDate date = LocalDate.ofEpochDay(epochDay);
        StringBuilder text = new StringBuilder();
        if (date.getYear() < 0) {
            text.append('-');
        }
        padded(text, Math.abs(date.getYear()), 4).append('-');
        padded(text, date.getMonthValue(), 2).append('-');
        return padded(text, date.getDayOfMonth(), 2).toString();
    }

    /** {@code 23:59:59.123456}; the end of the day may be {@code 24:00:00.000000}. */
    static String time(long microsOfDay) {
        long seconds = microsOfDay / MICROS_PER_SECOND;
        long minutes = seconds / SECONDS_PER_MINUTE;
        StringBuilder text = new StringBuilder();
        padded(text, minutes / MINUTES_PER_HOUR, 2).append(':');
        padded(text, minutes % MINUTES_PER_HOUR, 2).append(':');
        padded(text, seconds % SECONDS_PER_MINUTE, 2).append('.');
        return padded(text, microsOfDay % MICROS_PER_SECOND, 6).toString();
    }

    /** {@code 2026-11-29T23:59:59.123456}. */
    static String timestamp(long epochMicros) {
        return date(Math.floorDiv(epochMicros, MICROS_PER_DAY))
                + "T"
                + time(Math.floorMod(epochMicros, MICROS_PER_DAY));
    }

    private static StringBuilder padded(StringBuilder text, long number, int width) {
        String digits = Long.toString(number);
        for (int i = digits.length(); i < width; i++) {
            text.append('0');
        }
        return text.append(digits);
    }
}
