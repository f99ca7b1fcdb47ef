package io.weir.engine;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A Parquet file on disk and what Iceberg wants to know about it. The maps are keyed by field id.
 *
 * @param rows zero means that there was nothing to write and that no file exists
 * @param bytes size of the file
 * @param columnSizes compressed bytes per column
 * @param valueCounts values per column, NULL included
 * @param nullCounts NULLs per column
 * @param lowerBounds Iceberg's binary form of a value that none is below; a column without one has
 *     no entry
 * @param upperBounds the same from above
 * @param splitOffsets where the row groups start, ascending
 */
public record WrittenFile(
        Path path,
        long rows,
        long bytes,
        Map<Integer, Long> columnSizes,
        Map<Integer, Long> valueCounts,
        Map<Integer, Long> nullCounts,
        Map<Integer, ByteBuffer> lowerBounds,
        Map<Integer, ByteBuffer> upperBounds,
        List<Long> splitOffsets) {
    public WrittenFile {
        columnSizes = Map.copyOf(columnSizes);
        valueCounts = Map.copyOf(valueCounts);
        nullCounts = Map.copyOf(nullCounts);
        lowerBounds = Map.copyOf(lowerBounds);
        upperBounds = Map.copyOf(upperBounds);
        splitOffsets = List.copyOf(splitOffsets);
    }

    static WrittenFile nothing(Path path) {
        return new WrittenFile(
                path, 0, 0, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), List.of());
    }
}
