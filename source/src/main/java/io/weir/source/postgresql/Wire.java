package io.weir.source.postgresql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes the numbers of the wire format, and knows where its epochs are. */
final class Wire {
    static final int EPOCH_DAYS = 10_957;
    static final long EPOCH_MICROS = 946_684_800_000_000L;

    static final int NUMERIC_POSITIVE = 0x0000;
    static final int NUMERIC_NEGATIVE = 0x4000;
    static final int NUMERIC_NAN = 0xC000;
    static final int NUMERIC_INFINITY = 0xD000;
    static final int NUMERIC_MINUS_INFINITY = 0xF000;
    static final int NUMERIC_HEADER = 8;
    static final int NUMERIC_BASE = 10_000;

    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);

    private Wire() {}

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
    }

    static short shortAt(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at);
    }

    static int intAt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static long longAt(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    static void putShort(byte[] bytes, int at, int value) {
        SHORT.set(bytes, at, (short) value);
    }

    static byte[] ofInt(int value) {
        byte[] bytes = new byte[Integer.BYTES];
        INT.set(bytes, 0, value);
        return bytes;
    }

    static byte[] ofLong(long value) {
        byte[] bytes = new byte[Long.BYTES];
        LONG.set(bytes, 0, value);
        return bytes;
    }

    /** How many groups of four digits a numeric has. */
    static int numericGroups(byte[] bytes, int at) {
        return shortAt(bytes, at);
    }

    /** The power of 10,000 of the first group. */
    static int numericWeight(byte[] bytes, int at) {
        return shortAt(bytes, at + 2);
    }

    static int numericSign(byte[] bytes, int at) {
        return shortAt(bytes, at + 4) & 0xFFFF;
    }

    static int numericGroup(byte[] bytes, int at, int index) {
        return shortAt(bytes, at + NUMERIC_HEADER + 2 * index);
    }
}
