package io.weir.ingest.record;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Reads dates and times as ISO 8601 and SQL write them. */
final class TimeText {
    /** No value: the text is none of the wanted kind. */
    static final long NONE = Long.MIN_VALUE;

    private static final long MICROS_OF_DAY = 86_400_000_000L;
    private static final long MICROS_OF_SECOND = 1_000_000L;
    private static final int DATE_LENGTH = 10;
    private static final int FRACTION_DIGITS = 6;

    private TimeText() {}

    /** Days since 1970 of {@code 2026-11-30}. */
    static long date(byte[] b, int from, int length) {
        boolean shape = length == DATE_LENGTH && b[from + 4] == '-' && b[from + 7] == '-';
        int year = shape ? number(b, from, 4) : -1;
        int month = shape ? number(b, from + 5, 2) : -1;
        int day = shape ? number(b, from + 8, 2) : -1;
        if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31) {
            return NONE;
        }
        try {
            return LocalDate.of(year, month, day).toEpochDay();
        } catch (DateTimeException e) {
            return NONE;
        }
    }

    /** Microseconds since midnight of {@code 13:45}, {@code 13:45:01}, {@code 13:45:01.123456}. */
    static long time(byte[] b, int from, int length) {
        boolean shape = length >= 5 && b[from + 2] == ':';
        int hour = shape ? number(b, from, 2) : -1;
        int minute = shape ? number(b, from + 3, 2) : -1;
        if (hour < 0 || hour > 23 || minute < 0 || minute > 59) {
            return NONE;
        }
        long micros = (hour * 60L + minute) * 60 * MICROS_OF_SECOND;
        if (length == 5) {
            return micros;
        }
        int second = length >= 8 && b[from + 5] == ':' ? number(b, from + 6, 2) : -1;
        if (second < 0 || second > 59) {
            return NONE;
        }
        micros += second * MICROS_OF_SECOND;
        return length == 8 ? micros : fraction(b, from + 8, length - 8, micros);
    }

    private static long fraction(byte[] b, int from, int length, long micros) {
        if (b[from] != '.' || length < 2) {
            return NONE;
        }
        long fraction = 0;
        for (int i = 1; i <= Math.max(FRACTION_DIGITS, length - 1); i++) {
            int digit = i < length ? b[from + i] - '0' : 0;
            // A digit that would be cut off must be zero.
            if (digit < 0 || digit > 9 || (i > FRACTION_DIGITS && digit != 0)) {
                return NONE;
            }
            fraction = i <= FRACTION_DIGITS ? fraction * 10 + digit : fraction;
        }
        return micros + fraction;
    }

    /** Microseconds since 1970; with a zone, of the instant. */
    static long timestamp(byte[] b, int from, int length, boolean zoned) {
        int zone = zoned ? zoneAt(b, from, length) : length;
        if (zone < 0) {
            return NONE;
        }
        long day = date(b, from, Math.min(zone, DATE_LENGTH));
        long clock = 0;
        if (zone > DATE_LENGTH) {
            byte between = b[from + DATE_LENGTH];
            clock = between == ' ' || between == 'T'
                    ? time(b, from + DATE_LENGTH + 1, zone - DATE_LENGTH - 1)
                    : NONE;
        }
        if (day == NONE || clock == NONE) {
            return NONE;
        }
        long micros = day * MICROS_OF_DAY + clock;
        if (!zoned) {
            return micros;
        }
        try {
            String text = new String(
                    b, from + zone, length - zone, java.nio.charset.StandardCharsets.US_ASCII);
            return micros - ZoneOffset.of(text).getTotalSeconds() * MICROS_OF_SECOND;
        } catch (DateTimeException e) {
            return NONE;
        }
    }

    private static int zoneAt(byte[] b, int from, int length) {
        for (int i = DATE_LENGTH; i < length; i++) {
            byte c = b[from + i];
            if (c == 'Z' || c == '+' || c == '-') {
                return i;
            }
        }
        return -1;
    }

    private static int number(byte[] b, int from, int digits) {
        int value = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = b[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
