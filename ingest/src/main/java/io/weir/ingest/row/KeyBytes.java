package io.weir.ingest.row;

import java.util.Arrays;

/** Bytes that are put together and compared; one object is used again and again. */
final class KeyBytes {
    private byte[] bytes = new byte[128];
    private int length;
    private int hash;

    void reset() {
        length = 0;
        hash = 1;
    }

    int length() {
        return length;
    }

    int hash() {
        return hash ^ (hash >>> 15);
    }

    void put(byte value) {
        room(1);
        bytes[length++] = value;
        hash = 31 * hash + value;
    }

    void put(long value) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            put((byte) (value >>> shift));
        }
    }

    /** Puts the length first, so that no two lists of texts look alike. */
    void put(byte[] source, int offset, int count) {
        put((long) count);
        room(count);
        System.arraycopy(source, offset, bytes, length, count);
        length += count;
        int h = hash;
        for (int i = offset; i < offset + count; i++) {
            h = 31 * h + source[i];
        }
        hash = h;
    }

    private void room(int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
    }

    boolean is(byte[] other) {
        return Arrays.equals(bytes, 0, length, other, 0, other.length);
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }
}
