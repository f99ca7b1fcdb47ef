package io.weir.ingest.row;

import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.route.RowRouter;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.Column;
import io.weir.core.row.RowDigest;
import io.weir.core.row.RowSchema;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The rows of the open transaction that are not in a file yet, by route. Equal partition values are
 * recognised by their bytes, so that only the first row of each costs objects. Not thread-safe.
 */
public final class RoutedRows {
    /** Values of the partition columns that are remembered; with more, all are found anew. */
    private static final int KEYS_MAX = 1 << 14;

    private final RowSchema schema;
    private final @Nullable RowRouter router;
    private final int[] slots;
    private final @Nullable Object[] values;
    private final KeyBytes key = new KeyBytes();
    private final CanonicalRow canonical = new CanonicalRow();
    private final RowDigest digest = new RowDigest();
    private final List<RowBuffer> buffers = new ArrayList<>();
    private @Nullable Entry[] table = new @Nullable Entry[64];
    private @Nullable RowBuffer last;
    private int keys;
    private long memory;

    @SuppressWarnings("ArrayRecordComponent") // Compared with care, and by nobody else.
    private record Entry(
            int hash,
            byte[] key,
            RowBuffer buffer,
            @Nullable Entry next) {}

    public RoutedRows(RowSchema schema, PartitionBy partitionBy) {
        this.schema = schema;
        this.router = partitionBy.isPartitioned() ? new RowRouter(partitionBy, schema) : null;
        List<Column> columns = router == null ? List.of() : router.columns();
        this.slots = columns.stream().mapToInt(schema.columns()::indexOf).toArray();
        this.values = new @Nullable Object[slots.length];
    }

    public RowSchema schema() {
        return schema;
    }

    /**
     * Takes a row.
     *
     * @throws RecordException if it is not whole; nothing was taken then
     * @throws RouteLimitException if it needs one partition too many; nothing was taken then
     */
    public void add(Row row) throws RecordException {
        int most = row.bytesMost();
        RowBuffer buffer = router == null ? only() : find(row, router);
        long before = buffer.memory();
        canonical.resetInto(buffer.roomFor(most), buffer.nextRow());
        row.encode(canonical);
        digest.compute(canonical);
        buffer.add(canonical, digest);
        memory += buffer.memory() - before;
        last = buffer;
    }

    /**
     * The buffer that the last row went to.
     *
     * @throws IllegalStateException if there was none yet
     */
    public RowBuffer last() {
        if (last == null) {
            throw new IllegalStateException("No rows");
        }
        return last;
    }

    /**
     * Gives away the rows of a buffer that were not taken yet.
     *
     * @param room for those to come
     */
    public RowChunk take(RowBuffer buffer, byte[] room) {
        memory -= buffer.memory();
        RowChunk chunk = buffer.take(room);
        memory += buffer.memory();
        return chunk;
    }

    private RowBuffer only() {
        if (buffers.isEmpty()) {
            open(Route.NONE);
        }
        return buffers.get(0);
    }

    private RowBuffer find(Row row, RowRouter by) {
        key.reset();
        for (int slot : slots) {
            row.keyOf(slot, key);
        }
        int hash = key.hash();
        int at = hash & (table.length - 1);
        for (Entry entry = table[at]; entry != null; entry = entry.next()) {
            if (entry.hash() == hash && key.is(entry.key())) {
                return entry.buffer();
            }
        }
        for (int i = 0; i < slots.length; i++) {
            values[i] = row.internal(slots[i]);
        }
        int number = by.number(values);
        if (number == buffers.size()) {
            if (number >= RowRouter.ROUTES_MAX) {
                throw new RouteLimitException(number);
            }
            open(by.route(number));
        }
        RowBuffer buffer = buffers.get(number);
        remember(hash, buffer);
        return buffer;
    }

    private void open(Route route) {
        RowBuffer buffer = new RowBuffer(route);
        memory += buffer.memory();
        buffers.add(buffer);
    }

    private void remember(int hash, RowBuffer buffer) {
        if (keys >= KEYS_MAX) {
            table = new @Nullable Entry[64];
            keys = 0;
        } else if (keys >= table.length) {
            grow();
        }
        int at = hash & (table.length - 1);
        table[at] = new Entry(hash, key.copy(), buffer, table[at]);
        keys++;
    }

    private void grow() {
        @Nullable Entry[] larger = new @Nullable Entry[table.length * 2];
        for (Entry first : table) {
            for (Entry entry = first; entry != null; entry = entry.next()) {
                int at = entry.hash() & (larger.length - 1);
                larger[at] = new Entry(entry.hash(), entry.key(), entry.buffer(), larger[at]);
            }
        }
        table = larger;
    }

    /** One buffer for each route that came up, some perhaps empty. */
    public List<RowBuffer> buffers() {
        return Collections.unmodifiableList(buffers);
    }

    /** Bytes of heap that the buffers take. */
    public long memory() {
        return memory;
    }

    /** Forgets everything. A table without partitions keeps its room for the next transaction. */
    public void clear() {
        if (router == null) {
            buffers.forEach(RowBuffer::clear);
            return;
        }
        last = null;
        buffers.clear();
        table = new @Nullable Entry[64];
        keys = 0;
        memory = 0;
        router.reset();
    }

    /** Gives the room of buffers back that were written to files. */
    public void release(List<RowBuffer> written) {
        for (RowBuffer buffer : written) {
            memory -= buffer.memory();
            buffer.release();
            memory += buffer.memory();
        }
    }
}
