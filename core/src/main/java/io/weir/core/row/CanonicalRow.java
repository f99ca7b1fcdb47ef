package io.weir.core.row;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The canonical bytes of one row, written field by field in ascending field id and then read by
 * {@link RowDigest}. One object serves millions of rows; it is not thread-safe.
 *
 * <p>A field is its id (4 bytes), tag (1 byte), length (4 bytes) and value, all big-endian. A field
 * whose value equals the initial default of its column is left out: the caller does not write it,
 * or writes it and calls {@link #takeBack}. The encoders that read wire bytes and file values share
 * this writer and nothing else.
 */
public final class CanonicalRow {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Bytes of a field besides its value. */
    public static final int FIELD_BYTES = 9;

    private static final long CANONICAL_NAN = 0x7ff8000000000000L;

    private byte[] buffer = new byte[1024];
    private int start;
    private int end;
    private int lastField;
    private int lastFieldId;

    /** Forgets the row. */
    public void reset() {
        end = start;
        lastField = start;
        lastFieldId = 0;
    }

    /**
     * Forgets the row and puts the next one into an array of the caller, so that nobody has to copy
     * it there. A row that does not fit makes a larger array of it.
     *
     * @param at where the row begins; what is before is left alone
     */
    public void resetInto(byte[] into, int at) {
        buffer = into;
        start = at;
        reset();
    }

    /**
     * The bytes written so far are {@link #length()} bytes of this array, from {@link #start()} on.
     */
    public byte[] buffer() {
        return buffer;
    }

    /** Zero, unless the row stands in an array of the caller. */
    public int start() {
        return start;
    }

    public int length() {
        return end - start;
    }

    /** A copy of the bytes written so far. */
    public byte[] bytes() {
        return Arrays.copyOfRange(buffer, start, end);
    }

    /**
     * Writes the header of a field and makes room for its value.
     *
     * @return where in {@link #buffer()} the caller puts {@code size} bytes
     * @throws IllegalStateException if the field ids do not ascend
     */
    public int reserve(int fieldId, int tag, int size) {
        if (fieldId <= lastFieldId) {
            throw new IllegalStateException("Field " + fieldId + " comes after " + lastFieldId);
        }
        lastFieldId = fieldId;
        lastField = end;
        int value = end + FIELD_BYTES;
        if (value + size > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, value + size));
        }
        INT.set(buffer, end, fieldId);
        buffer[end + 4] = (byte) tag;
        INT.set(buffer, end + 5, size);
        end = value + size;
        return value;
    }

    /**
     * Leaves the field written last out again if it consists of these bytes.
     *
     * @param initialDefault the field with the initial default of its column
     */
    public void takeBack(byte[] initialDefault) {
        if (Arrays.equals(buffer, lastField, end, initialDefault, 0, initialDefault.length)) {
            end = lastField;
        }
    }

    /** A NULL in a column whose initial default is another value. */
    public void putNull(int fieldId) {
        reserve(fieldId, CanonicalType.NULL_TAG, 0);
    }

    public void putBoolean(int fieldId, boolean value) {
        int at = reserve(fieldId, CanonicalType.BOOLEAN.tag(), 1);
        buffer[at] = (byte) (value ? 1 : 0);
    }

    /** An integer, date, time or timestamp: eight bytes, big-endian. */
    public void putLong(int fieldId, CanonicalType type, long value) {
        int at = reserve(fieldId, type.tag(), Long.BYTES);
        LONG.set(buffer, at, value);
    }

    /** Every NaN is one NaN; negative zero stays negative zero. */
    public void putFloating(int fieldId, double value) {
        long bits = Double.isNaN(value) ? CANONICAL_NAN : Double.doubleToRawLongBits(value);
        int at = reserve(fieldId, CanonicalType.FLOATING.tag(), Long.BYTES);
        LONG.set(buffer, at, bits);
    }

    /** The number {@code unscaled × 10^-scale}, by value: 1.20 is 1.2. */
    public void putDecimal(int fieldId, long unscaled, int scale) {
        long digits = unscaled;
        int exponent = scale;
        if (digits == 0) {
            exponent = 0;
        } else {
            while (digits % 10 == 0) {
                digits /= 10;
                exponent--;
            }
        }
        int bytes = bytesOf(digits);
        int at = reserve(fieldId, CanonicalType.DECIMAL.tag(), Integer.BYTES + bytes);
        INT.set(buffer, at, exponent);
        for (int i = 0; i < bytes; i++) {
            buffer[at + Integer.BYTES + i] = (byte) (digits >> (8 * (bytes - 1 - i)));
        }
    }

    /** The same for numbers of more than 63 bits. */
    public void putDecimal(int fieldId, BigInteger unscaled, int scale) {
        if (unscaled.bitLength() < Long.SIZE) {
            putDecimal(fieldId, unscaled.longValue(), scale);
            return;
        }
        BigInteger digits = unscaled;
        int exponent = scale;
        while (true) {
            BigInteger[] parts = digits.divideAndRemainder(BigInteger.TEN);
            if (parts[1].signum() != 0) {
                break;
            }
            digits = parts[0];
            exponent--;
        }
        byte[] bytes = digits.toByteArray();
        int at = reserve(fieldId, CanonicalType.DECIMAL.tag(), Integer.BYTES + bytes.length);
        INT.set(buffer, at, exponent);
        System.arraycopy(bytes, 0, buffer, at + Integer.BYTES, bytes.length);
    }

    /** Text, padded text (trailing spaces removed here), JSON or binary. */
    public void putBytes(int fieldId, CanonicalType type, byte[] source, int offset, int size) {
        int kept = size;
        if (type == CanonicalType.PADDED_TEXT) {
            while (kept > 0 && source[offset + kept - 1] == ' ') {
                kept--;
            }
        }
        int at = reserve(fieldId, type.tag(), kept);
        System.arraycopy(source, offset, buffer, at, kept);
    }

    /** A UUID as its two big-endian halves. */
    public void putUuid(int fieldId, long high, long low) {
        int at = reserve(fieldId, CanonicalType.UUID.tag(), 2 * Long.BYTES);
        LONG.set(buffer, at, high);
        LONG.set(buffer, at + Long.BYTES, low);
    }

    /** Length of the shortest two's complement form, as {@link BigInteger#toByteArray} has it. */
    private static int bytesOf(long value) {
        long magnitude = value < 0 ? ~value : value;
        return (Long.SIZE - Long.numberOfLeadingZeros(magnitude)) / 8 + 1;
    }
}
