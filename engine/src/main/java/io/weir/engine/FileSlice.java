package io.weir.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Some adjacent row groups of a file: what one thread measures at a time.
 *
 * @param fileIndex position of the file in the set
 * @param fromRow first row, counted from the start of the file
 * @param toRow the row behind the last
 * @param batchRows rows that are brought over at a time
 */
record FileSlice(int fileIndex, ParquetLayout layout, long fromRow, long toRow, int batchRows) {
    private static final int BATCH_ROWS_MAX = 16_384;
    private static final int BATCH_ROWS_MIN = 64;
    private static final long BATCH_BYTES = 8L << 20;
    private static final long SLICES_PER_THREAD = 4;
    // Every cut may read the row groups beside it as well, so slices are not made small.
    private static final long SLICE_ROWS_MIN = 1_000_000;

    /** Cuts files so that all threads have work until the end. */
    static List<FileSlice> cut(List<ParquetLayout> layouts, int threads) {
        long rows = layouts.stream().mapToLong(ParquetLayout::rows).sum();
        long target = Math.max(SLICE_ROWS_MIN, rows / (threads * SLICES_PER_THREAD));
        List<FileSlice> slices = new ArrayList<>();
        for (int index = 0; index < layouts.size(); index++) {
            ParquetLayout layout = layouts.get(index);
            int batchRows = batchRows(layout);
            long from = 0;
            long to = 0;
            for (ParquetLayout.RowGroup group : layout.rowGroups()) {
                if (to > from && to - from + group.rows() > target) {
                    slices.add(new FileSlice(index, layout, from, to, batchRows));
                    from = to;
                }
                to += group.rows();
            }
            if (to > from) {
                slices.add(new FileSlice(index, layout, from, to, batchRows));
            }
        }
        return slices;
    }

    long rows() {
        return toRow - fromRow;
    }

    boolean isWholeFile() {
        return rows() == layout.rows();
    }

    private static int batchRows(ParquetLayout layout) {
        long bytes = layout.rowGroups().stream()
                .mapToLong(ParquetLayout.RowGroup::bytes)
                .sum();
        long rowBytes = Math.max(1, bytes / Math.max(1, layout.rows()));
        return (int) Math.max(BATCH_ROWS_MIN, Math.min(BATCH_ROWS_MAX, BATCH_BYTES / rowBytes));
    }
}
