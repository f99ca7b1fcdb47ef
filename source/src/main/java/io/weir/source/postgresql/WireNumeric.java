package io.weir.source.postgresql;

import java.math.BigDecimal;
import java.math.BigInteger;

/** The wire form of numerics as objects: for policies and messages, never for every value. */
final class WireNumeric {
    private static final BigInteger BASE = BigInteger.valueOf(Wire.NUMERIC_BASE);
    private static final int GROUP_DIGITS = 4;

    private WireNumeric() {}

    /** The wire form of {@code unscaled × 10^-scale}. */
    static byte[] encode(BigInteger unscaled, int scale) {
        int fractionGroups = Math.floorDiv(scale + GROUP_DIGITS - 1, GROUP_DIGITS);
        BigInteger magnitude =
                unscaled.abs().multiply(BigInteger.TEN.pow(fractionGroups * GROUP_DIGITS - scale));
        int groups = 0;
        for (BigInteger rest = magnitude; rest.signum() != 0; rest = rest.divide(BASE)) {
            groups++;
        }
        byte[] wire = new byte[Wire.NUMERIC_HEADER + 2 * groups];
        Wire.putShort(wire, 0, groups);
        Wire.putShort(wire, 2, groups - fractionGroups - 1);
        Wire.putShort(
                wire, 4, unscaled.signum() < 0 ? Wire.NUMERIC_NEGATIVE : Wire.NUMERIC_POSITIVE);
        Wire.putShort(wire, 6, scale);
        BigInteger rest = magnitude;
        for (int i = groups - 1; i >= 0; i--) {
            BigInteger[] parts = rest.divideAndRemainder(BASE);
            Wire.putShort(wire, Wire.NUMERIC_HEADER + 2 * i, parts[1].intValue());
            rest = parts[0];
        }
        return wire;
    }

    /** All groups as one whole number, with its sign. */
    static BigInteger digits(byte[] bytes, int at) {
        BigInteger value = BigInteger.ZERO;
        int groups = Wire.numericGroups(bytes, at);
        for (int i = 0; i < groups; i++) {
            value = value.multiply(BASE).add(BigInteger.valueOf(Wire.numericGroup(bytes, at, i)));
        }
        return Wire.numericSign(bytes, at) == Wire.NUMERIC_NEGATIVE ? value.negate() : value;
    }

    /** How far the decimal point is to the left of the last digit of {@link #digits}. */
    static int scale(byte[] bytes, int at) {
        int groups = Wire.numericGroups(bytes, at);
        return GROUP_DIGITS * (groups - 1 - Wire.numericWeight(bytes, at));
    }

    /** As the server writes it. */
    static String text(byte[] bytes, int at) {
        return switch (Wire.numericSign(bytes, at)) {
            case Wire.NUMERIC_NAN -> "NaN";
            case Wire.NUMERIC_INFINITY -> "Infinity";
            case Wire.NUMERIC_MINUS_INFINITY -> "-Infinity";
            default ->
                new BigDecimal(digits(bytes, at), scale(bytes, at))
                        .setScale(Wire.shortAt(bytes, at + 6) & 0x3FFF)
                        .toPlainString();
        };
    }
}
