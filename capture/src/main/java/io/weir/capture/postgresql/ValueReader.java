package io.weir.capture.postgresql;

import io.weir.core.row.Column;

import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.UUID;

/**
 * Turns the values of one column into Iceberg's internal form. A value of another kind than the
 * column's type asks for, or outside of what it holds, stops; nothing becomes NULL.
 */
final class ValueReader {
    static final int YEAR_MAX = 9999;

    private static final long DAY_MICROS = 86_400_000_000L;
    private static final int DATE_MIN = (int) LocalDate.of(1, 1, 1).toEpochDay();
    private static final int DATE_MAX = (int) LocalDate.of(YEAR_MAX, 12, 31).toEpochDay();
    private static final long TIMESTAMP_MIN = DATE_MIN * DAY_MICROS;
    private static final long TIMESTAMP_MAX = (DATE_MAX + 1) * DAY_MICROS - 1;
    private static final int SHOWN_MAX = 100;
    private static final byte[] UNAVAILABLE_BYTES =
            DebeziumSettings.UNAVAILABLE.getBytes(StandardCharsets.UTF_8);

    private final Column column;

    ValueReader(Column column) {
        this.column = column;
    }

    /** Whether the source left a value out because it did not change. */
    static boolean isUnavailable(@Nullable Object value) {
        if (value instanceof String text) {
            return text.equals(DebeziumSettings.UNAVAILABLE);
        }
        // Values that were sent come as buffers, so that an equal value is not mistaken for this.
        return value instanceof byte[] bytes && Arrays.equals(bytes, UNAVAILABLE_BYTES);
    }

    /**
     * The value in Iceberg's internal form.
     *
     * @throws UnfitValue if the type of the column cannot hold it
     */
    Object read(Object value) {
        Object read;
        try {
            read = convert(value);
        } catch (ArithmeticException | DateTimeException | IllegalArgumentException e) {
            throw unfit(value, e);
        }
        if (read == null) {
            throw unfit(value, null);
        }
        return read;
    }

    /** Null for a value that is of another kind or outside of the type. */
    private @Nullable Object convert(Object value) {
        return switch (column.type().typeId()) {
            case BOOLEAN -> value instanceof Boolean ? value : null;
            case INTEGER ->
                value instanceof Short || value instanceof Integer
                        ? ((Number) value).intValue()
                        : null;
            case LONG -> value instanceof Long ? value : null;
            case FLOAT -> value instanceof Float ? value : null;
            case DOUBLE -> value instanceof Double ? value : null;
            case DECIMAL -> value instanceof String text ? decimal(new BigDecimal(text)) : null;
            case STRING -> value instanceof String ? value : null;
            case BINARY -> value instanceof ByteBuffer bytes ? bytes(bytes) : null;
            case UUID -> value instanceof String text ? UUID.fromString(text) : null;
            case DATE ->
                value instanceof Integer days && days >= DATE_MIN && days <= DATE_MAX ? days : null;
            case TIME ->
                value instanceof Long micros && micros >= 0 && micros < DAY_MICROS ? micros : null;
            case TIMESTAMP -> timestamp(value);
            default -> null;
        };
    }

    private @Nullable BigDecimal decimal(BigDecimal value) {
        Types.DecimalType type = (Types.DecimalType) column.type();
        BigDecimal scaled = value.setScale(type.scale());
        return scaled.precision() <= type.precision() ? scaled : null;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private @Nullable Long timestamp(Object value) {
        long micros;
        if (value instanceof Long number && !isZoned()) {
            micros = number;
        } else if (value instanceof String text && isZoned()) {
            OffsetDateTime moment = OffsetDateTime.parse(text);
            micros = Math.addExact(
                    Math.multiplyExact(
                            moment.withOffsetSameInstant(ZoneOffset.UTC).toEpochSecond(),
                            1_000_000L),
                    moment.getNano() / 1_000);
        } else {
            return null;
        }
        return micros >= TIMESTAMP_MIN && micros <= TIMESTAMP_MAX ? micros : null;
    }

    private boolean isZoned() {
        return ((Types.TimestampType) column.type()).shouldAdjustToUTC();
    }

    private UnfitValue unfit(Object value, @Nullable Exception cause) {
        String text = asWritten(String.valueOf(value));
        String shown = text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX - 1) + "…";
        return new UnfitValue(column, shown, cause);
    }

    /** The engine has its own words for numbers that are none. */
    private String asWritten(String text) {
        if (column.type().typeId() != Type.TypeID.DECIMAL) {
            return text;
        }
        return switch (text) {
            case "NAN" -> "NaN";
            case "POSITIVE_INFINITY" -> "Infinity";
            case "NEGATIVE_INFINITY" -> "-Infinity";
            default -> text;
        };
    }
}
