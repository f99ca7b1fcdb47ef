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

    /** So many bytes are worth the while of another thread. */
    private static final int CHUNK_BYTES = 256 << 10;

    /** Room for a chunk: most rows are smaller than what it has to spare. */
    private static final int ROOM_BYTES = CHUNK_BYTES + (8 << 10);

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

    /** The array of the rows, with room for one more of so many bytes. */
    byte[] roomFor(int size) {
        int needed = nextRow() + size;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, larger(needed));
        }
        return bytes;
    }

    /** Where in {@link #roomFor} the bytes of the next row begin. */
    int nextRow() {
        return length + Integer.BYTES;
    }

    /**
     * Adds a row that was put where {@link #nextRow} says, and its digest, which was computed from
     * these bytes.
     */
    void add(CanonicalRow row, RowDigest digest) {
        int size = row.length();
        INT.set(bytes, length, size);
        length += Integer.BYTES + size;
        rows++;
        balance.add(digest);
    }

    private int larger(int needed) {
        int doubled = Math.max(bytes.length * 2, needed);
        return doubled > ROOM_BYTES / 2 && doubled < ROOM_BYTES ? ROOM_BYTES : doubled;
    }

    /** Whether there is nothing to {@link #take}. */
    public boolean isEmpty() {
        return rows == 0;
    }

    /** Whether what is here is worth being taken while more rows come in. */
    public boolean isFull() {
        return length >= CHUNK_BYTES;
    }

    /** How many rows were added since the last {@link #take}. */
    public long rows() {
        return rows;
    }

    /** The balance of all rows since {@link #clear}, those included that were taken away. */
    public Balance balance() {
        return balance.balance();
    }

    /**
     * Gives the rows away that were added since the last time.
     *
     * @param room for those to come, perhaps used before
     */
    public RowChunk take(byte[] room) {
        RowChunk chunk = new RowChunk(bytes, length, rows);
        bytes = room;
        length = 0;
        rows = 0;
        return chunk;
    }

    /** The same, but the caller is done with them before another row is added. */
    public RowChunk lend() {
        RowChunk chunk = new RowChunk(bytes, length, rows);
        length = 0;
        rows = 0;
        return chunk;
    }

    /** Bytes of heap. */
    public long memory() {
        return bytes.length;
    }

    /** Room for as many rows as are worth being taken. */
    public static byte[] room() {
        return new byte[ROOM_BYTES];
    }

    /** Whether room that was used may be used again. */
    public static boolean isRoom(byte[] used) {
        return used.length == ROOM_BYTES;
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
