package io.weir.core.row;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The double-entry figure of a set of rows: how many, and the sum of their digests modulo 2^128.
 * Balances of disjoint sets add; equal sets have equal balances whatever the order of their rows.
 *
 * @param rows number of rows; negative only in a difference
 * @param high upper 64 bits of the sum, unsigned
 * @param low lower 64 bits of the sum, unsigned
 */
public record Balance(long rows, long high, long low) {
    public static final Balance ZERO = new Balance(0, 0, 0);

    private static final HexFormat HEX = HexFormat.of();
    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(128);

    /** The balance whose digest sum is a number, taken modulo 2^128. */
    public static Balance of(long rows, BigInteger sum) {
        BigInteger value = sum.mod(MODULUS);
        return new Balance(rows, value.shiftRight(64).longValue(), value.longValue());
    }

    /**
     * Reads {@link #digestText()}.
     *
     * @throws IllegalArgumentException unless the text is 32 hexadecimal digits
     */
    public static Balance of(long rows, String digestText) {
        if (digestText.length() != 32) {
            throw new IllegalArgumentException(
                    "Invalid digest sum " + digestText + ": 32 hexadecimal digits");
        }
        return new Balance(
                rows,
                HexFormat.fromHexDigitsToLong(digestText, 0, 16),
                HexFormat.fromHexDigitsToLong(digestText, 16, 32));
    }

    public Balance plus(Balance other) {
        long sum = low + other.low;
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        return new Balance(Math.addExact(rows, other.rows), high + other.high + carry, sum);
    }

    public Balance minus(Balance other) {
        long borrow = Long.compareUnsigned(low, other.low) < 0 ? 1 : 0;
        return new Balance(
                Math.subtractExact(rows, other.rows), high - other.high - borrow, low - other.low);
    }

    /** The digest sum as an unsigned number below 2^128. */
    public BigInteger digestSum() {
        return new BigInteger(
                1, ByteBuffer.allocate(16).putLong(high).putLong(low).array());
    }

    /** The digest sum as 32 hexadecimal digits. */
    public String digestText() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }

    /** As certificates print it: rows, then digest sum. */
    @Override
    public String toString() {
        return rows + ":" + digestText();
    }
}
