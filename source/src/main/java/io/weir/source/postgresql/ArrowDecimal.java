package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.iceberg.types.Types;

import java.math.BigInteger;

/** Writes numerics as 128-bit integers at the scale of the column, in two halves. */
final class ArrowDecimal extends ArrowColumn.Fixed {
    private static final int SIZE = 16;
    private static final int GROUP_DIGITS = 4;
    private static final int[] POWERS = {1, 10, 100, 1_000};
    private static final long LOW_32 = 0xFFFF_FFFFL;

    private final Types.DecimalType type;
    private final String column;
    private final long limitHigh;
    private final long limitLow;
    private long high;
    private long low;

    ArrowDecimal(BaseFixedWidthVector vector, Types.DecimalType type, String column) {
        super(vector, SIZE);
        this.type = type;
        this.column = column;
        BigInteger limit = BigInteger.TEN.pow(type.precision());
        this.limitHigh = limit.shiftRight(Long.SIZE).longValue();
        this.limitLow = limit.longValue();
    }

    @Override
    void put(long address, byte[] bytes, int at) {
        int groups = Wire.numericGroups(bytes, at);
        // Digits that the value has to the right of its last group's end, to reach the scale.
        int missing = groups == 0 ? 0 : type.scale() - WireNumeric.scale(bytes, at);
        high = 0;
        low = 0;
        int whole = missing < 0 ? groups - 1 : groups;
        for (int i = 0; i < whole; i++) {
            append(Wire.NUMERIC_BASE, Wire.numericGroup(bytes, at, i));
        }
        if (missing < 0) {
            appendPart(bytes, at, whole, -missing);
        } else {
            for (int left = missing; left > 0; left -= GROUP_DIGITS) {
                append(left >= GROUP_DIGITS ? Wire.NUMERIC_BASE : POWERS[left], 0);
            }
        }
        if (Long.compareUnsigned(high, limitHigh) > 0
                || (high == limitHigh && Long.compareUnsigned(low, limitLow) >= 0)) {
            throw unfit(bytes, at);
        }
        if (Wire.numericSign(bytes, at) == Wire.NUMERIC_NEGATIVE) {
            low = -low;
            high = ~high + (low == 0 ? 1 : 0);
        }
        store(address);
    }

    private void store(long address) {
        MemoryUtil.putLong(address, MemoryUtil.LITTLE_ENDIAN ? low : high);
        MemoryUtil.putLong(address + Long.BYTES, MemoryUtil.LITTLE_ENDIAN ? high : low);
    }

    /** The last group reaches beyond the scale; the digits there must be zeros. */
    private void appendPart(byte[] bytes, int at, int index, int surplus) {
        if (surplus >= GROUP_DIGITS) {
            throw unfit(bytes, at);
        }
        int group = Wire.numericGroup(bytes, at, index);
        int divisor = POWERS[surplus];
        if (group % divisor != 0) {
            throw unfit(bytes, at);
        }
        append(Wire.NUMERIC_BASE / divisor, group / divisor);
    }

    private void append(int factor, int digits) {
        long bottom = (low & LOW_32) * factor + digits;
        long top = (low >>> 32) * factor + (bottom >>> 32);
        low = (top << 32) | (bottom & LOW_32);
        high = high * factor + (top >>> 32);
    }

    private WeirException unfit(byte[] bytes, int at) {
        return new WeirException(
                ErrorCode.INTERNAL,
                "Cannot hold value " + WireNumeric.text(bytes, at) + " of column " + column
                        + ": the database promised another precision (type=" + type + ")");
    }
}
