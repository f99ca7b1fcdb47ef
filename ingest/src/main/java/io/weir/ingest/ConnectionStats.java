package io.weir.ingest;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counters of one connection since it was made; readable from any thread. */
public final class ConnectionStats {
    private final AtomicLong recordsWritten = new AtomicLong();
    private final AtomicLong recordsSize = new AtomicLong();
    final LongAdder recordsCommitted = new LongAdder();
    final LongAdder recordsRejected = new LongAdder();
    final LongAdder valuesNulled = new LongAdder();
    final LongAdder committedTransactions = new LongAdder();
    final LongAdder abortedTransactions = new LongAdder();
    final LongAdder repeatedTransactions = new LongAdder();
    final LongAdder autoFlushes = new LongAdder();
    final LongAdder catalogCalls = new LongAdder();
    final LongAdder heartbeats = new LongAdder();
    final LongAdder filesWritten = new LongAdder();
    final LongAdder bytesWritten = new LongAdder();
    final LongAdder batchRewrites = new LongAdder();
    final LongAdder batchRewriteFailures = new LongAdder();

    ConnectionStats() {}

    /** Counts a record that became a row; by one thread at a time, so that it costs little. */
    void record(long bytes) {
        recordsWritten.setOpaque(recordsWritten.getPlain() + 1);
        recordsSize.setOpaque(recordsSize.getPlain() + bytes);
    }

    /** Records that became rows, of aborted transactions too. */
    public long getRecordsWritten() {
        return recordsWritten.get();
    }

    /** Bytes of these records as they came. */
    public long getRecordsSize() {
        return recordsSize.get();
    }

    /** Rows that readers see because of this connection. */
    public long getRecordsCommitted() {
        return recordsCommitted.sum();
    }

    /** Records that did not become rows. */
    public long getRecordsRejected() {
        return recordsRejected.sum();
    }

    /** Values that a record policy turned into NULL. */
    public long getValuesNulled() {
        return valuesNulled.sum();
    }

    public long getCommittedTransactions() {
        return committedTransactions.sum();
    }

    /** Those that an error or the end of the connection aborted count too. */
    public long getAbortedTransactions() {
        return abortedTransactions.sum();
    }

    /** Commits that had nothing to do: the identity was committed before. */
    public long getRepeatedTransactions() {
        return repeatedTransactions.sum();
    }

    /** How often rows went to files before the commit, to save memory. */
    public long getAutoFlushes() {
        return autoFlushes.sum();
    }

    /** What Hive counts as metastore calls. */
    public long getCatalogCalls() {
        return catalogCalls.sum();
    }

    /** Signs to the ledger that prolonged the lease of a transaction, or found it lost. */
    public long getHeartbeats() {
        return heartbeats.sum();
    }

    public long getFilesWritten() {
        return filesWritten.sum();
    }

    public long getBytesWritten() {
        return bytesWritten.sum();
    }

    /** How often the small files of a batch were put together. */
    public long getBatchRewrites() {
        return batchRewrites.sum();
    }

    /** How often that failed; the rows stay in their small files. */
    public long getBatchRewriteFailures() {
        return batchRewriteFailures.sum();
    }

    @Override
    public String toString() {
        return "{records-written: " + getRecordsWritten() + ", records-size: " + getRecordsSize()
                + ", records-committed: " + getRecordsCommitted() + ", records-rejected: "
                + getRecordsRejected() + ", committed-transactions: " + getCommittedTransactions()
                + ", aborted-transactions: " + getAbortedTransactions() + ", auto-flushes: "
                + getAutoFlushes() + ", catalog-calls: " + getCatalogCalls() + "}";
    }
}
