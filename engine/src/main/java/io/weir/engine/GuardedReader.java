package io.weir.engine;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * Stands between the rows of a caller and DuckDB. The C interface passes an error on as text only,
 * so this keeps the exception itself; it counts the rows handed over; and it leaves the reader open
 * when DuckDB lets go of the stream, because the reader belongs to the caller.
 */
final class GuardedReader extends ArrowReader {
    private final ArrowReader rows;
    private volatile @Nullable Exception failure;
    private volatile @Nullable Error fault;
    private volatile long rowCount;

    GuardedReader(ArrowReader rows, BufferAllocator allocator) {
        super(allocator);
        this.rows = rows;
    }

    BufferAllocator allocator() {
        return allocator;
    }

    /** Rows handed over so far. */
    long rowCount() {
        return rowCount;
    }

    /**
     * Throws what the reader of the caller has thrown, if it has.
     *
     * @throws IOException if it was one; unchecked exceptions come out as they are
     */
    void throwFailure() throws IOException {
        Error error = fault;
        if (error != null) {
            throw error;
        }
        Exception exception = failure;
        if (exception instanceof IOException checked) {
            throw checked;
        }
        if (exception instanceof RuntimeException unchecked) {
            throw unchecked;
        }
    }

    // DuckDB calls from several threads, one at a time; the lock makes the fields visible.
    @Override
    public synchronized boolean loadNextBatch() throws IOException {
        try {
            if (!rows.loadNextBatch()) {
                return false;
            }
            rowCount += rows.getVectorSchemaRoot().getRowCount();
            return true;
        } catch (IOException | RuntimeException e) {
            failure = e;
            throw e;
        } catch (Error e) {
            fault = e;
            throw e;
        }
    }

    @Override
    public VectorSchemaRoot getVectorSchemaRoot() throws IOException {
        return rows.getVectorSchemaRoot();
    }

    @Override
    public Map<Long, Dictionary> getDictionaryVectors() throws IOException {
        return rows.getDictionaryVectors();
    }

    @Override
    public @Nullable Dictionary lookup(long id) {
        return rows.lookup(id);
    }

    @Override
    public Set<Long> getDictionaryIds() {
        return rows.getDictionaryIds();
    }

    @Override
    public long bytesRead() {
        return rows.bytesRead();
    }

    @Override
    public void close() {}

    @Override
    public void close(boolean closeReadSource) {}

    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() throws IOException {
        return rows.getVectorSchemaRoot().getSchema();
    }
}
