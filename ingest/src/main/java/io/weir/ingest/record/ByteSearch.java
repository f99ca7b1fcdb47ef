package io.weir.ingest.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds a byte, eight bytes at a time. */
final class ByteSearch {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOP_BITS = 0x8080808080808080L;

    private ByteSearch() {}

    /** Where the wanted byte is first, from {@code from} on; {@code end} if it is not before. */
    static int find(byte wanted, byte[] b, int from, int end) {
        long pattern = (wanted & 0xff) * ONES;
        int at = from;
        while (at + Long.BYTES <= end) {
            long hits = hits((long) LONG.get(b, at) ^ pattern);
            if (hits != 0) {
                return at + (Long.numberOfTrailingZeros(hits) >>> 3);
            }
            at += Long.BYTES;
        }
        while (at < end && b[at] != wanted) {
            at++;
        }
        return at;
    }

    /** The lowest bit that is set is the top bit of the first byte that is zero. */
    private static long hits(long word) {
        return (word - ONES) & ~word & TOP_BITS;
    }
}
