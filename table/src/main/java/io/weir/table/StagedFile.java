package io.weir.table;

import io.weir.core.route.Route;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * A durable Parquet file that a run wants in the table.
 *
 * @param path full location, {@code file:///…}, below {@link LakeTable#dataRoot()}
 * @param bytes size of the file
 * @param metrics what the table keeps about its columns
 * @param splitOffsets where its row groups start, ascending; may be empty
 * @param route that all its rows have
 */
public record StagedFile(
        String path,
        long rows,
        long bytes,
        ColumnMetrics metrics,
        List<Long> splitOffsets,
        Route route) {
    public StagedFile {
        splitOffsets = List.copyOf(splitOffsets);
    }

    /** A file for a table that is not partitioned. */
    public StagedFile(
            String path, long rows, long bytes, ColumnMetrics metrics, List<Long> splitOffsets) {
        this(path, rows, bytes, metrics, splitOffsets, Route.NONE);
    }

    /** The same file, known to be of a route. */
    public StagedFile routed(Route to) {
        return new StagedFile(path, rows, bytes, metrics, splitOffsets, to);
    }

    /** A file of which only path, rows and size are known; readers cannot skip it. */
    public static StagedFile of(String path, long rows, long bytes) {
        return new StagedFile(path, rows, bytes, ColumnMetrics.NONE, List.of());
    }

    /**
     * Figures per column, by field id; a column may be absent from any of them.
     *
     * @param sizes bytes that the column takes in the file
     * @param values number of values, NULLs included
     * @param nulls number of NULLs
     * @param lower smallest value in Iceberg's single-value form
     * @param upper largest value in Iceberg's single-value form
     */
    public record ColumnMetrics(
            Map<Integer, Long> sizes,
            Map<Integer, Long> values,
            Map<Integer, Long> nulls,
            Map<Integer, ByteBuffer> lower,
            Map<Integer, ByteBuffer> upper) {
        public static final ColumnMetrics NONE =
                new ColumnMetrics(Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

        public ColumnMetrics {
            sizes = Map.copyOf(sizes);
            values = Map.copyOf(values);
            nulls = Map.copyOf(nulls);
            lower = Map.copyOf(lower);
            upper = Map.copyOf(upper);
        }
    }
}
