package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.RowPositions;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The live files of a snapshot and their deletion vectors. */
final class DeletedRows {
    private DeletedRows() {}

    /**
     * A live file.
     *
     * @param vector null if no row of it is deleted
     */
    record Live(DataFile file, @Nullable DeleteFile vector) {}

    /**
     * Every live file by its location.
     *
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} if rows were deleted in another
     *     way than by deletion vectors
     */
    static Map<String, Live> live(ManifestEntries manifests, Table table, Snapshot snapshot) {
        Map<String, DeleteFile> vectors = new HashMap<>();
        for (DeleteFile deletes : manifests.deletes(table, snapshot)) {
            String of = deletes.referencedDataFile();
            boolean vector = deletes.format() == FileFormat.PUFFIN && of != null;
            if (!vector || vectors.put(of, deletes) != null) {
                throw new WeirException(
                        ErrorCode.TABLE_FOREIGN_WRITE,
                        "Cannot read table " + table.name()
                                + ": another writer deleted rows otherwise than by deletion vectors"
                                + " (deletes=" + deletes.location() + ")");
            }
        }
        Map<String, Live> live = new LinkedHashMap<>();
        for (DataFile file : manifests.data(table, snapshot)) {
            live.put(file.location(), new Live(file, vectors.get(file.location())));
        }
        return live;
    }

    static PositionDeleteIndex index(Table table, DeleteFile vector) {
        Long offset = vector.contentOffset();
        Long size = vector.contentSizeInBytes();
        if (offset == null || size == null) {
            throw new IllegalStateException("No deletion vector: " + vector.location());
        }
        byte[] bytes = new byte[Math.toIntExact(size)];
        try (SeekableInputStream in = table.io().newInputFile(vector.location()).newStream()) {
            in.seek(offset);
            if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
                throw new EOFException("The file ends within a deletion vector");
            }
        } catch (IOException e) {
            throw new WeirException(
                    ErrorCode.FILE_UNREADABLE,
                    "Cannot read deletion vector " + vector.location() + ": " + e.getMessage(),
                    e);
        }
        return PositionDeleteIndex.deserialize(bytes, vector);
    }

    static RowPositions positions(Table table, Live live) {
        DeleteFile vector = live.vector();
        if (vector == null) {
            return RowPositions.NONE;
        }
        PositionDeleteIndex index = index(table, vector);
        long[] positions = new long[Math.toIntExact(index.cardinality())];
        int[] next = new int[1];
        index.forEach(position -> positions[next[0]++] = position);
        return RowPositions.of(positions);
    }
}
