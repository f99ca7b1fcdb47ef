package io.weir.engine;

import io.weir.core.row.RowSchema;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/** Rows of a test that end in an exception instead of their end. */
final class FailingBatches extends ArrowReader {
    private final RowBatches batches;
    private final Exception failure;

    FailingBatches(
            BufferAllocator allocator,
            RowSchema schema,
            List<List<@Nullable Object>> rows,
            Exception failure) {
        super(allocator);
        this.batches = new RowBatches(allocator, schema, rows, 1_000);
        this.failure = failure;
    }

    @Override
    public boolean loadNextBatch() throws IOException {
        if (batches.loadNextBatch()) {
            return true;
        }
        if (failure instanceof IOException checked) {
            throw checked;
        }
        throw (RuntimeException) failure;
    }

    @Override
    public VectorSchemaRoot getVectorSchemaRoot() throws IOException {
        return batches.getVectorSchemaRoot();
    }

    @Override
    public long bytesRead() {
        return 0;
    }

    @Override
    public void close() throws IOException {
        batches.close();
    }

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
        return batches.readSchema();
    }
}
