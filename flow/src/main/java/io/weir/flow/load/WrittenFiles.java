package io.weir.flow.load;

import io.weir.core.run.Chunk;
import io.weir.engine.WrittenFile;
import io.weir.table.StagedFile;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the workers of this process know about the files they wrote: column figures that let readers
 * skip files. A file of another process is staged without them; readers then read it.
 */
final class WrittenFiles {
    private final Map<String, WrittenFile> byPath = new ConcurrentHashMap<>();

    void add(String path, WrittenFile file) {
        byPath.put(path, file);
    }

    /** The chunk as the table wants it; rows and bytes are the ledger's. */
    StagedFile staged(Chunk chunk) {
        String path = Objects.requireNonNull(chunk.path(), "a chunk without rows has no file");
        WrittenFile file = byPath.get(path);
        if (file == null) {
            return StagedFile.of(path, chunk.balance().rows(), chunk.bytes());
        }
        return new StagedFile(
                path,
                chunk.balance().rows(),
                chunk.bytes(),
                new StagedFile.ColumnMetrics(
                        file.columnSizes(),
                        file.valueCounts(),
                        file.nullCounts(),
                        file.lowerBounds(),
                        file.upperBounds()),
                file.splitOffsets());
    }
}
