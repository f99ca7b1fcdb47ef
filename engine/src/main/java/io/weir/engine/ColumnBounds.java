package io.weir.engine;

import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/**
 * Iceberg's bounds of a column, from the text that DuckDB gives for its smallest and largest value.
 * Readers skip files by bounds, so a bound that might be too tight is left out. UUIDs have none,
 * because readers disagree about their order; nor has a column with NaN.
 */
final class ColumnBounds {
    private static final int LENGTH_MAX = 16;
    private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);
    private static final int NANOS_PER_MICRO = 1_000;
    private static final int YEAR_DIGITS_MAX = 6;
    private static final DateTimeFormatter DATE = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR, 4, YEAR_DIGITS_MAX, SignStyle.NOT_NEGATIVE)
            .appendLiteral('-')
            .appendValue(ChronoField.MONTH_OF_YEAR, 2)
            .appendLiteral('-')
            .appendValue(ChronoField.DAY_OF_MONTH, 2)
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT)
            .withChronology(IsoChronology.INSTANCE);
    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .append(DATE)
            .appendLiteral(' ')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT)
            .withChronology(IsoChronology.INSTANCE);
    private static final String UTC_SUFFIX = "+00";

    private ColumnBounds() {}

    /**
     * A value that none of the column is below, or null.
     *
     * @param statistics one column of what {@code RETURN_STATS} returns
     */
    static @Nullable ByteBuffer lower(Type type, Map<String, String> statistics) {
        String text = statistics.get("min");
        if (text == null || hasNan(statistics)) {
            return null;
        }
        return switch (type.typeId()) {
            case STRING -> Conversions.toByteBuffer(type, firstCodePoints(text));
            case BINARY -> {
                byte[] bytes = HexFormat.of().parseHex(text);
                yield ByteBuffer.wrap(Arrays.copyOf(bytes, Math.min(bytes.length, LENGTH_MAX)));
            }
            // Zeros of both signs are equal to DuckDB; Iceberg puts the negative one first.
            case FLOAT -> Conversions.toByteBuffer(type, zeroAs(-0.0f, floating(text)));
            case DOUBLE -> Conversions.toByteBuffer(type, zeroAs(-0.0, floating(text)));
            default -> exact(type, text);
        };
    }

    /** A value that none of the column is above, or null. */
    static @Nullable ByteBuffer upper(Type type, Map<String, String> statistics) {
        String text = statistics.get("max");
        if (text == null || hasNan(statistics)) {
            return null;
        }
        return switch (type.typeId()) {
            case STRING -> {
                String rounded = roundedUp(text);
                yield rounded == null ? null : Conversions.toByteBuffer(type, rounded);
            }
            case BINARY -> roundedUp(HexFormat.of().parseHex(text));
            case FLOAT -> Conversions.toByteBuffer(type, zeroAs(0.0f, floating(text)));
            case DOUBLE -> Conversions.toByteBuffer(type, zeroAs(0.0, floating(text)));
            default -> exact(type, text);
        };
    }

    private static boolean hasNan(Map<String, String> statistics) {
        return "true".equals(statistics.get("has_nan"));
    }

    private static @Nullable ByteBuffer exact(Type type, String text) {
        try {
            Object value = value(type, text);
            return value == null ? null : Conversions.toByteBuffer(type, value);
        } catch (DateTimeParseException e) {
            // A year before 1 or the end of the day at 24:00: no bound is always right.
            return null;
        }
    }

    private static @Nullable Object value(Type type, String text) {
        return switch (type.typeId()) {
            case BOOLEAN -> text.equals("1") || text.equals("true");
            case INTEGER -> Integer.valueOf(text);
            case LONG -> Long.valueOf(text);
            case DECIMAL -> new BigDecimal(text).setScale(((Types.DecimalType) type).scale());
            case DATE -> Math.toIntExact(LocalDate.parse(text, DATE).toEpochDay());
            case TIME -> LocalTime.parse(text).toNanoOfDay() / NANOS_PER_MICRO;
            case TIMESTAMP -> micros(text);
            default -> null;
        };
    }

    private static long micros(String text) {
        String local = text.endsWith(UTC_SUFFIX)
                ? text.substring(0, text.length() - UTC_SUFFIX.length())
                : text;
        LocalDateTime timestamp = LocalDateTime.parse(local, TIMESTAMP);
        return ChronoUnit.MICROS.between(EPOCH, timestamp);
    }

    private static double floating(String text) {
        return switch (text) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static double zeroAs(double zero, double value) {
        return value == 0 ? zero : value;
    }

    private static float zeroAs(float zero, double value) {
        return value == 0 ? zero : (float) value;
    }

    private static String firstCodePoints(String text) {
        return text.codePointCount(0, text.length()) <= LENGTH_MAX
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LENGTH_MAX));
    }

    /** The shortest prefix rule: cut, then raise the last code point that can be raised. */
    static @Nullable String roundedUp(String text) {
        String prefix = firstCodePoints(text);
        if (prefix.length() == text.length()) {
            return text;
        }
        int[] codePoints = prefix.codePoints().toArray();
        for (int i = codePoints.length - 1; i >= 0; i--) {
            int next = codePoints[i] + 1;
            if (next == Character.MIN_SURROGATE) {
                next = Character.MAX_SURROGATE + 1;
            }
            if (next <= Character.MAX_CODE_POINT) {
                codePoints[i] = next;
                return new String(codePoints, 0, i + 1);
            }
        }
        return null;
    }

    static @Nullable ByteBuffer roundedUp(byte[] bytes) {
        if (bytes.length <= LENGTH_MAX) {
            return ByteBuffer.wrap(bytes);
        }
        byte[] prefix = Arrays.copyOf(bytes, LENGTH_MAX);
        for (int i = LENGTH_MAX - 1; i >= 0; i--) {
            if (prefix[i] != (byte) 0xff) {
                prefix[i]++;
                return ByteBuffer.wrap(Arrays.copyOf(prefix, i + 1));
            }
        }
        return null;
    }
}
