package io.weir.source;

import io.weir.core.error.WeirException;

import org.apache.arrow.vector.ipc.ArrowReader;

import java.util.Optional;

/**
 * The rows of one partition, chunk after chunk:
 *
 * <pre>{@code
 * while (!rows.exhausted()) {
 *     try (ArrowReader chunk = rows.nextChunk(bytes)) { … }
 *     ChunkTotals totals = rows.totals();
 * }
 * }</pre>
 *
 * A chunk pulls rows from the source in the thread that asks for a batch. Each batch has buffers of
 * its own, so that a consumer may keep it while the next one is made; all must be released before
 * {@link #close()}.
 */
public interface PartitionRows extends AutoCloseable {
    /**
     * A reader that ends when the budget is used up, after at least one row, or when the partition
     * ends. The chunk before must have been drained. Closing the reader leaves the partition open.
     *
     * @param sourceBytesMax wire bytes; the last row may exceed it
     */
    ArrowReader nextChunk(long sourceBytesMax);

    /**
     * The totals of the chunk that was just drained.
     *
     * @throws WeirException the failure that ended the chunk, if one did: native consumers see only
     *     its text
     */
    ChunkTotals totals();

    /** Why the last chunk ended early. */
    Optional<WeirException> failure();

    /**
     * Whether the partition has no further row. Looks ahead, so it may wait for the source; while a
     * chunk is being drained the answer is {@code false}.
     */
    boolean exhausted();

    /** Rows so far; any thread may ask. */
    long rowsRead();

    /** Wire bytes so far; any thread may ask. */
    long bytesRead();

    /**
     * Makes the chunk that is being drained fail at its next batch with {@code INTERRUPTED}; any
     * thread may ask.
     */
    void stop();

    /** Cancels what is unfinished; the reader can then read another partition. */
    @Override
    void close();
}
