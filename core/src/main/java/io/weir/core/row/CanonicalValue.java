package io.weir.core.row;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Writes values in Iceberg's internal form as canonical bytes. */
public final class CanonicalValue {
    private CanonicalValue() {}

    /**
     * Writes one field.
     *
     * @param value binary may be {@code byte[]} or a buffer
     * @throws ClassCastException if it is no value of the type
     */
    public static void put(CanonicalRow row, int fieldId, CanonicalType type, Object value) {
        switch (type) {
            case BOOLEAN -> row.putBoolean(fieldId, (Boolean) value);
            case INTEGER, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ ->
                row.putLong(fieldId, type, ((Number) value).longValue());
            case FLOATING -> row.putFloating(fieldId, ((Number) value).doubleValue());
            case DECIMAL -> {
                BigDecimal decimal = (BigDecimal) value;
                row.putDecimal(fieldId, decimal.unscaledValue(), decimal.scale());
            }
            case TEXT, PADDED_TEXT, JSON ->
                putBytes(row, fieldId, type, value.toString().getBytes(StandardCharsets.UTF_8));
            case BINARY -> putBytes(row, fieldId, type, bytes(value));
            case UUID -> {
                UUID uuid = (UUID) value;
                row.putUuid(fieldId, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            }
        }
    }

    private static void putBytes(CanonicalRow row, int fieldId, CanonicalType type, byte[] bytes) {
        row.putBytes(fieldId, type, bytes, 0, bytes.length);
    }

    /** The octets of a binary value. */
    public static byte[] bytes(Object value) {
        if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        }
        return (byte[]) value;
    }
}
