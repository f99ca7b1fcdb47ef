package io.weir.flow.load;

import io.weir.core.route.Route;
import io.weir.core.run.Chunk;
import io.weir.engine.WrittenFile;
import io.weir.table.StagedFile;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What the workers of this process know about the files they wrote: column figures that let readers
 * skip files. A file of another process is described from its own footer instead.
 */
final class WrittenFiles {
    private final Map<String, Routed> byPath = new ConcurrentHashMap<>();

    void add(String path, WrittenFile file, Route route) {
        byPath.put(path, new Routed(file, route));
    }

    /**
     * The chunk as the table wants it; rows and bytes are the ledger's.
     *
     * @param found describes a file of another process
     */
    StagedFile staged(Chunk chunk, Function<String, Routed> found) {
        String path = Objects.requireNonNull(chunk.path(), "a chunk without rows has no file");
        Routed own = byPath.get(path);
        Routed routed = own == null ? found.apply(path) : own;
        WrittenFile file = routed.file();
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
                file.splitOffsets(),
                routed.route());
    }

    /** A file and the route that all its rows have. */
    record Routed(WrittenFile file, Route route) {}
}
