package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;

import org.jspecify.annotations.Nullable;

/**
 * Writes the canonical bytes of a field from its wire bytes. It shares nothing with {@link
 * ArrowColumn}: a fault in one of the two must show as two different digests.
 */
final class WireDigest {
    /** A group more must not overflow. */
    private static final long DIGITS_MAX = Long.MAX_VALUE / Wire.NUMERIC_BASE - 1;

    private static final byte JSONB_VERSION = 1;

    private final int fieldId;
    private final WireType wire;
    private final CanonicalType type;
    private final byte @Nullable [] initialDefault;

    WireDigest(WireType wire, Column column) {
        this.fieldId = column.fieldId();
        this.wire = wire;
        this.type = column.canonicalType();
        this.initialDefault = column.initialDefaultBytes();
    }

    /**
     * Writes the field, or leaves it out where it holds the initial default of its column.
     *
     * @param length negative for NULL
     */
    void put(CanonicalRow row, byte[] bytes, int at, int length) {
        byte @Nullable [] initial = initialDefault;
        if (length >= 0) {
            putValue(row, bytes, at, length);
            if (initial != null) {
                row.takeBack(initial);
            }
        } else if (initial != null) {
            row.putNull(fieldId);
        }
    }

    private void putValue(CanonicalRow row, byte[] bytes, int at, int length) {
        switch (wire) {
            case BOOLEAN -> row.putBoolean(fieldId, bytes[at] != 0);
            case INT2 -> row.putLong(fieldId, type, Wire.shortAt(bytes, at));
            case INT4 -> row.putLong(fieldId, type, Wire.intAt(bytes, at));
            case INT8, TIME -> row.putLong(fieldId, type, Wire.longAt(bytes, at));
            case FLOAT4 -> row.putFloating(fieldId, Float.intBitsToFloat(Wire.intAt(bytes, at)));
            case FLOAT8 ->
                row.putFloating(fieldId, Double.longBitsToDouble(Wire.longAt(bytes, at)));
            case NUMERIC -> putNumeric(row, bytes, at);
            case TEXT, BYTEA -> row.putBytes(fieldId, type, bytes, at, length);
            case JSONB -> putJsonb(row, bytes, at, length);
            case DATE -> row.putLong(fieldId, type, (long) Wire.intAt(bytes, at) + Wire.EPOCH_DAYS);
            case TIMESTAMP, TIMESTAMP_TZ ->
                row.putLong(fieldId, type, Wire.longAt(bytes, at) + Wire.EPOCH_MICROS);
            case UUID ->
                row.putUuid(fieldId, Wire.longAt(bytes, at), Wire.longAt(bytes, at + Long.BYTES));
        }
    }

    private void putJsonb(CanonicalRow row, byte[] bytes, int at, int length) {
        if (length < 1 || bytes[at] != JSONB_VERSION) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "Cannot read field " + fieldId + ": its jsonb has a version that is not known"
                            + " (bytes=" + length + ")");
        }
        row.putBytes(fieldId, type, bytes, at + 1, length - 1);
    }

    private void putNumeric(CanonicalRow row, byte[] bytes, int at) {
        int groups = Wire.numericGroups(bytes, at);
        int scale = WireNumeric.scale(bytes, at);
        long digits = 0;
        for (int i = 0; i < groups; i++) {
            if (digits > DIGITS_MAX) {
                row.putDecimal(fieldId, WireNumeric.digits(bytes, at), scale);
                return;
            }
            digits = digits * Wire.NUMERIC_BASE + Wire.numericGroup(bytes, at, i);
        }
        boolean negative = Wire.numericSign(bytes, at) == Wire.NUMERIC_NEGATIVE;
        row.putDecimal(fieldId, negative ? -digits : digits, scale);
    }
}
