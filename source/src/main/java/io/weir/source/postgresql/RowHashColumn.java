package io.weir.source.postgresql;

import io.weir.core.row.RowDigest;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.jspecify.annotations.Nullable;

/** Keeps the digest of each row beside it, its upper half first, as UUIDs are stored. */
final class RowHashColumn {
    private static final int BYTES = 16;

    private @Nullable FixedSizeBinaryVector vector;
    private long data;

    void bind(FixedSizeBinaryVector target) {
        vector = target;
    }

    void allocate(int rows) {
        FixedSizeBinaryVector target = bound();
        target.allocateNew(rows);
        // Every row has a digest.
        MemoryUtil.setMemory(target.getValidityBufferAddress(), (rows + 7) >>> 3, (byte) 0xFF);
        data = target.getDataBufferAddress();
    }

    void add(int row, RowDigest digest) {
        long address = data + (long) row * BYTES;
        MemoryUtil.putLong(address, bigEndian(digest.high()));
        MemoryUtil.putLong(address + Long.BYTES, bigEndian(digest.low()));
    }

    private static long bigEndian(long value) {
        return MemoryUtil.LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
    }

    void finish(int rows) {
        bound().setValueCount(rows);
    }

    private FixedSizeBinaryVector bound() {
        FixedSizeBinaryVector target = vector;
        if (target == null) {
            throw new IllegalStateException("Rows are decoded before the vectors are bound");
        }
        return target;
    }
}
