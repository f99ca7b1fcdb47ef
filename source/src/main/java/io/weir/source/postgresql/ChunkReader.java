package io.weir.source.postgresql;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;

/** One chunk as a stream of Arrow batches. */
final class ChunkReader extends ArrowReader {
    private final PostgresRows rows;
    private boolean bound;

    ChunkReader(PostgresRows rows, BufferAllocator allocator) {
        super(allocator);
        this.rows = rows;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        VectorSchemaRoot root = getVectorSchemaRoot();
        if (!bound) {
            rows.bind(root);
            bound = true;
        }
        // A consumer may hold the buffers of the batch before: let go of them, never rewrite them.
        root.clear();
        int loaded = rows.fillBatch();
        root.setRowCount(loaded);
        return loaded > 0;
    }

    @Override
    public long bytesRead() {
        return rows.chunkBytes();
    }

    @Override
    protected void closeReadSource() {
        // The partition outlives its chunks.
    }

    @Override
    protected Schema readSchema() {
        return rows.arrowSchema();
    }
}
