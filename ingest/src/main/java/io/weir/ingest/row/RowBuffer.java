package io.weir.ingest.row;

import io.weir.core.route.Route;
import io.weir.core.row.Balance;
import io.weir.core.row.BalanceSum;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.RowDigest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The canonical bytes of rows of one route, one row after the other, each with its length in front.
 * What is digested is what is kept and what is written to the file later. Not thread-safe.
 */
public final class RowBuffer {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int FIRST_BYTES = 512;

    private final Route route;
    private final BalanceSum balance = new BalanceSum();
    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;
    private long rows;

    public RowBuffer(Route route) {
        this.route = route;
    }

    public Route route() {
        return route;
    }

    /** Adds a row and its digest, which was computed from these bytes. */
    public void add(CanonicalRow row, RowDigest digest) {
        int size = row.length();
        int needed = length + Integer.BYTES + size;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, needed));
        }
        INT.set(bytes, length, size);
        System.arraycopy(row.buffer(), 0, bytes, length + Integer.BYTES, size);
        length = needed;
        rows++;
        balance.add(digest);
    }

    public boolean isEmpty() {
        return rows == 0;
    }

    public long rows() {
        return rows;
    }

    public Balance balance() {
        return balance.balance();
    }

    /** Bytes of heap. */
    public long memory() {
        return bytes.length;
    }

    /** The rows; only the first {@link #length} bytes count. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    /** Forgets the rows and keeps the room. */
    public void clear() {
        length = 0;
        rows = 0;
        balance.reset();
    }

    /** Forgets the rows and the room. */
    void release() {
        clear();
        bytes = new byte[FIRST_BYTES];
    }
}
