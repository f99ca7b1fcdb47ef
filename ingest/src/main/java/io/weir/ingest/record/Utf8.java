package io.weir.ingest.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Tells whether bytes are UTF-8, without making a text of them. */
final class Utf8 {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long TOP_BITS = 0x8080808080808080L;
    private static final int BLOCK = 4 * Long.BYTES;

    private Utf8() {}

    /** The number of characters (code points); -1 if the bytes are not UTF-8. */
    static int characters(byte[] b, int from, int length) {
        int end = from + length;
        int at = from;
        while (at + BLOCK <= end && ascii(b, at) && ascii(b, at + BLOCK / 2)) {
            at += BLOCK;
        }
        while (at + Long.BYTES <= end && ((long) LONG.get(b, at) & TOP_BITS) == 0) {
            at += Long.BYTES;
        }
        // What is left is the end of eight bytes that are looked at once more.
        if (length >= Long.BYTES
                && at + Long.BYTES > end
                && ((long) LONG.get(b, end - Long.BYTES) & TOP_BITS) == 0) {
            return length;
        }
        int count = at - from;
        while (at < end) {
            int size = size(b, at, end);
            if (size == 0) {
                return -1;
            }
            at += size;
            count++;
        }
        return count;
    }

    /** Whether the 16 bytes from here on are characters of their own. */
    private static boolean ascii(byte[] b, int at) {
        long both = (long) LONG.get(b, at) | (long) LONG.get(b, at + Long.BYTES);
        return (both & TOP_BITS) == 0;
    }

    /** Bytes of the character that begins here; 0 if none does. */
    private static int size(byte[] b, int at, int end) {
        int first = b[at] & 0xff;
        if (first < 0x80) {
            return 1;
        }
        int size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        if (first < 0xc2 || first > 0xf4 || at + size > end) {
            return 0;
        }
        for (int i = 1; i < size; i++) {
            if ((b[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        int second = b[at + 1] & 0xff;
        boolean overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
        boolean surrogate = first == 0xed && second > 0x9f;
        boolean beyond = first == 0xf4 && second > 0x8f;
        return overlong || surrogate || beyond ? 0 : size;
    }
}
