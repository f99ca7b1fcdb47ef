package io.weir.source.postgresql;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/**
 * Writes wire values straight into the memory of an Arrow vector: no object for a value, no bounds
 * check but the one made once for a batch. Every batch gets new buffers, because a native consumer
 * may still hold the old ones.
 */
abstract class ArrowColumn {
    private static final byte ALL_VALID = (byte) 0xFF;

    private long validity;

    /** Makes room for a batch in which nothing is NULL until said so. */
    abstract void allocate(int rows);

    abstract void write(int row, byte[] bytes, int at, int length);

    /** Tells the vector how far it is filled. */
    abstract void finish(int rows);

    /** Bytes of variable length in the batch. */
    long variableBytes() {
        return 0;
    }

    void writeNull(int row) {
        long address = validity + (row >>> 3);
        MemoryUtil.putByte(address, (byte) (MemoryUtil.getByte(address) & ~(1 << (row & 7))));
    }

    void markValid(FieldVector vector, int rows) {
        validity = vector.getValidityBufferAddress();
        MemoryUtil.setMemory(validity, (rows + 7) >>> 3, ALL_VALID);
    }

    /** Values of one size in bytes. */
    abstract static class Fixed extends ArrowColumn {
        private final BaseFixedWidthVector vector;
        private final int size;
        private long data;

        Fixed(BaseFixedWidthVector vector, int size) {
            this.vector = vector;
            this.size = size;
        }

        abstract void put(long address, byte[] bytes, int at);

        @Override
        void allocate(int rows) {
            vector.allocateNew(rows);
            markValid(vector, rows);
            data = vector.getDataBufferAddress();
        }

        @Override
        void write(int row, byte[] bytes, int at, int length) {
            put(data + (long) row * size, bytes, at);
        }

        @Override
        void writeNull(int row) {
            super.writeNull(row);
            MemoryUtil.setMemory(data + (long) row * size, size, (byte) 0);
        }

        @Override
        void finish(int rows) {
            vector.setValueCount(rows);
        }
    }

    /** One bit for a value. */
    static final class Bits extends ArrowColumn {
        private final BaseFixedWidthVector vector;
        private long data;

        Bits(BaseFixedWidthVector vector) {
            this.vector = vector;
        }

        @Override
        void allocate(int rows) {
            vector.allocateNew(rows);
            markValid(vector, rows);
            data = vector.getDataBufferAddress();
            MemoryUtil.setMemory(data, (rows + 7) >>> 3, (byte) 0);
        }

        @Override
        void write(int row, byte[] bytes, int at, int length) {
            if (bytes[at] != 0) {
                long address = data + (row >>> 3);
                MemoryUtil.putByte(address, (byte) (MemoryUtil.getByte(address) | 1 << (row & 7)));
            }
        }

        @Override
        void finish(int rows) {
            vector.setValueCount(rows);
        }
    }

    /** Bytes of any length, behind a prefix that is not kept. */
    static final class Bytes extends ArrowColumn {
        private static final int FIRST_VALUE_BYTES = 16;

        private final BaseVariableWidthVector vector;
        private final int prefix;
        private long offsets;
        private long data;
        private long capacity;
        private long end;
        private long expectedBytes;

        Bytes(BaseVariableWidthVector vector, int prefix) {
            this.vector = vector;
            this.prefix = prefix;
        }

        @Override
        void allocate(int rows) {
            long wanted = Math.max(expectedBytes, (long) rows * FIRST_VALUE_BYTES);
            vector.allocateNew(wanted, rows);
            markValid(vector, rows);
            offsets = vector.getOffsetBufferAddress();
            MemoryUtil.putInt(offsets, 0);
            end = 0;
            findData();
        }

        private void findData() {
            data = vector.getDataBufferAddress();
            capacity = vector.getDataBuffer().capacity();
        }

        @Override
        void write(int row, byte[] bytes, int at, int length) {
            int size = length - prefix;
            long newEnd = end + size;
            if (newEnd > capacity) {
                // The vector copies up to what it believes is written.
                vector.getDataBuffer().writerIndex(end);
                vector.reallocDataBuffer(Math.max(newEnd, capacity * 2));
                findData();
            }
            MemoryUtil.copyToMemory(bytes, at + prefix, data + end, size);
            end = newEnd;
            putEnd(row);
        }

        private void putEnd(int row) {
            MemoryUtil.putInt(offsets + (row + 1L) * Integer.BYTES, (int) end);
        }

        @Override
        void writeNull(int row) {
            super.writeNull(row);
            putEnd(row);
        }

        @Override
        long variableBytes() {
            return end;
        }

        @Override
        void finish(int rows) {
            vector.setLastSet(rows - 1);
            vector.setValueCount(rows);
            expectedBytes = end;
        }
    }
}
