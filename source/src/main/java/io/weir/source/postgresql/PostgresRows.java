package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Balance;
import io.weir.source.ChunkTotals;
import io.weir.source.PartitionRows;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** One COPY, handed out in chunks. */
final class PostgresRows implements PartitionRows {
    private static final long BATCH_BYTES_MAX = 16L << 20;
    private static final int PROGRESS_MASK = 0x3FF;

    /** What ends with the partition. */
    @FunctionalInterface
    interface Ending {
        /** Frees the connection. */
        void end(Outcome outcome);
    }

    /** How a partition ended. */
    enum Outcome {
        COMPLETE,
        GIVEN_UP,
        /** The failure was reported already; the server cannot be talked to any more. */
        LOST,
        /** The failure was reported already. */
        FAILED
    }

    private final String table;
    private final CopyTuples tuples;
    private final RowDecoder decoder;
    private final BufferAllocator allocator;
    private final Ending ending;
    private final AtomicLong rowsRead = new AtomicLong();
    private final AtomicLong bytesRead = new AtomicLong();
    private long rowCount;
    private long byteCount;
    private long chunkBytesMax;
    private long chunkBytes;
    private boolean draining;
    private boolean closed;
    private volatile boolean stopped;
    private @Nullable ChunkTotals totals;
    private @Nullable WeirException failure;

    PostgresRows(PartitionPlan plan, CopyTuples tuples, BufferAllocator allocator, Ending ending) {
        this.table = plan.table().toString();
        this.tuples = tuples;
        this.decoder = new RowDecoder(plan);
        this.allocator = allocator;
        this.ending = ending;
    }

    @Override
    public ArrowReader nextChunk(long sourceBytesMax) {
        if (sourceBytesMax < 1) {
            throw misuse("a chunk needs at least one byte");
        }
        if (closed || draining || failure != null) {
            throw misuse("the chunk before was not drained, or the partition is closed or failed");
        }
        draining = true;
        totals = null;
        chunkBytesMax = sourceBytesMax;
        chunkBytes = 0;
        return new ChunkReader(this, allocator);
    }

    void bind(VectorSchemaRoot root) {
        decoder.bind(root);
    }

    Schema arrowSchema() {
        return decoder.arrowSchema();
    }

    long chunkBytes() {
        return chunkBytes;
    }

    /** Fills the vectors bound before; 0 at the end of the chunk, and at every call after it. */
    int fillBatch() {
        if (!draining) {
            return 0;
        }
        try {
            if (stopped) {
                throw new WeirException(
                        ErrorCode.INTERRUPTED, "Cannot read table " + table + ": asked to stop");
            }
            int rows = chunkBytes < chunkBytesMax && tuples.hasNext() ? decodeBatch() : 0;
            if (rows == 0) {
                totals = chunkTotals();
                draining = false;
            }
            return rows;
        } catch (WeirException e) {
            failure = e;
            draining = false;
            throw e;
        }
    }

    private ChunkTotals chunkTotals() {
        Balance balance = decoder.takeBalance();
        return new ChunkTotals(
                balance.rows(), chunkBytes, balance, decoder.takeLosses(), decoder.takeRoutes());
    }

    private int decodeBatch() {
        int limit = decoder.batchRows();
        decoder.startBatch();
        int rows = 0;
        long batchBytes = 0;
        while (rows < limit
                && batchBytes < BATCH_BYTES_MAX
                && chunkBytes < chunkBytesMax
                && tuples.next()) {
            decoder.decode(tuples, rows, ++rowCount);
            rows++;
            int bytes = tuples.tupleBytes();
            batchBytes += bytes;
            chunkBytes += bytes;
            byteCount += bytes;
            if ((rows & PROGRESS_MASK) == 0) {
                showProgress();
            }
        }
        decoder.finishBatch(rows);
        showProgress();
        return rows;
    }

    private void showProgress() {
        rowsRead.lazySet(rowCount);
        bytesRead.lazySet(byteCount);
    }

    @Override
    public ChunkTotals totals() {
        if (failure != null) {
            throw failure;
        }
        if (totals == null) {
            throw misuse("no chunk was drained");
        }
        return totals;
    }

    @Override
    public Optional<WeirException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public boolean exhausted() {
        if (failure != null) {
            throw failure;
        }
        if (closed || draining) {
            return false;
        }
        try {
            return !tuples.hasNext();
        } catch (WeirException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public long rowsRead() {
        return rowsRead.get();
    }

    @Override
    public long bytesRead() {
        return bytesRead.get();
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        draining = false;
        try {
            allocator.close();
        } finally {
            ending.end(outcome());
        }
    }

    private Outcome outcome() {
        if (failure != null) {
            return failure.code() == ErrorCode.SOURCE_CONNECTION_LOST
                    ? Outcome.LOST
                    : Outcome.FAILED;
        }
        return tuples.isEnded() ? Outcome.COMPLETE : Outcome.GIVEN_UP;
    }

    private WeirException misuse(String reason) {
        return new WeirException(ErrorCode.INTERNAL, "Cannot read table " + table + ": " + reason);
    }
}
