package io.weir.ingest.file;

import io.weir.ingest.row.RowChunk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Tells from the first rows of a row group in which columns values come again. A dictionary of
 * values that are all different costs more than the values themselves, and a small file never
 * reaches the size at which Parquet would give it up.
 */
final class RepeatedValues {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int ROWS_MIN = 128;
    private static final int ROWS_MAX = 4096;

    /** Of how many rows one is looked at: more rows may hold more distinct values that repeat. */
    private static final int ROWS_PER_SAMPLE = 8;

    private final int[] fieldIds;
    private final int[][] hashes;
    private final int[] counts;

    /**
     * Looks at rows.
     *
     * @param fieldIds of all columns, ascending
     */
    RepeatedValues(RowChunk rows, int[] fieldIds) {
        int count = (int) Math.min(
                rows.rows(), Math.min(ROWS_MAX, Math.max(ROWS_MIN, rows.rows() / ROWS_PER_SAMPLE)));
        this.fieldIds = fieldIds;
        this.hashes = new int[fieldIds.length][count];
        this.counts = new int[fieldIds.length];
        byte[] bytes = rows.bytes();
        int at = 0;
        for (int row = 0; row < count; row++) {
            int end = at + Integer.BYTES + (int) INT.get(bytes, at);
            look(bytes, at + Integer.BYTES, end);
            at = end;
        }
    }

    private void look(byte[] bytes, int from, int end) {
        int at = from;
        for (int i = 0; i < fieldIds.length && at < end; i++) {
            if ((int) INT.get(bytes, at) == fieldIds[i]) {
                int length = (int) INT.get(bytes, at + RowFileWriter.LENGTH_AT);
                at += RowFileWriter.HEADER_BYTES;
                hashes[i][counts[i]] = ByteBuffer.wrap(bytes, at, length).hashCode();
                counts[i]++;
                at += length;
            }
        }
    }

    /** Whether at least every eighth value of a column was there before. */
    boolean in(int fieldId) {
        int column = Arrays.binarySearch(fieldIds, fieldId);
        int count = counts[column];
        int[] sorted = Arrays.copyOf(hashes[column], count);
        Arrays.sort(sorted);
        int distinct = count == 0 ? 0 : 1;
        for (int i = 1; i < count; i++) {
            if (sorted[i] != sorted[i - 1]) {
                distinct++;
            }
        }
        return count == 0 || distinct * 8L <= count * 7L;
    }
}
