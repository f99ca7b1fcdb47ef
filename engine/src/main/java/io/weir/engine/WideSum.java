package io.weir.engine;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * An exact sum of signed numbers of up to 128 bits. It is 192 bits wide: no number of rows that
 * fits a long makes it overflow. Not thread-safe.
 */
final class WideSum {
    private long top;
    private long high;
    private long low;

    void add(long value) {
        add(value >> 63, value);
    }

    /** Adds a number of 128 bits in two's complement. */
    void add(long valueHigh, long valueLow) {
        add(valueHigh >> 63, valueHigh, valueLow);
    }

    void add(WideSum other) {
        add(other.top, other.high, other.low);
    }

    private void add(long valueTop, long valueHigh, long valueLow) {
        long newLow = low + valueLow;
        long carry = Long.compareUnsigned(newLow, low) < 0 ? 1 : 0;
        long middle = high + valueHigh;
        long middleCarry = Long.compareUnsigned(middle, high) < 0 ? 1 : 0;
        long newHigh = middle + carry;
        // At most one of the two additions carries.
        middleCarry += Long.compareUnsigned(newHigh, middle) < 0 ? 1 : 0;
        top += valueTop + middleCarry;
        high = newHigh;
        low = newLow;
    }

    BigInteger value() {
        return new BigInteger(ByteBuffer.allocate(3 * Long.BYTES)
                .putLong(top)
                .putLong(high)
                .putLong(low)
                .array());
    }
}
