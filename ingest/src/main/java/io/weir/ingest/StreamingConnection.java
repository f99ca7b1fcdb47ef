package io.weir.ingest;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Writes records into one table, in transactions. Used by one thread at a time; only {@link #close}
 * may come from another one at any moment. Calls fail with {@link StreamingException} or one of its
 * subtypes and with nothing else.
 */
public interface StreamingConnection extends AutoCloseable {
    /**
     * Begins the next transaction, and a new batch when the old one is used up. With a source it
     * has the sequence after the last one.
     *
     * @throws InvalidTransactionState if a transaction is open, or the connection is closed
     * @throws InvalidTable if the table takes no rows any more
     */
    void beginTransaction() throws StreamingException;

    /**
     * Begins a transaction with a sequence of the caller's, such as an offset. One that was
     * committed before will commit nothing.
     *
     * @throws InvalidTransactionState also if the connection has no source
     */
    void beginTransaction(long sequence) throws StreamingException;

    /**
     * Writes one record.
     *
     * @throws SerializationError if the record cannot become a row: nothing of it is taken, the
     *     transaction stays open
     * @throws PartitionCreationFailed if the row needs one partition too many; as above
     * @throws StreamingIOFailure if a file cannot be written: the transaction is aborted
     */
    void write(byte[] record) throws StreamingException;

    /** Writes one record that is a part of an array. */
    void write(byte[] record, int offset, int length) throws StreamingException;

    /**
     * Writes the records of a stream, to its end, and closes it. An error leaves the records before
     * it in the open transaction, and says which record it was.
     *
     * @return how many records became rows
     * @throws StreamingIOFailure also if the stream cannot be read; the record that was cut off is
     *     not written, the transaction stays open
     */
    long write(InputStream records) throws StreamingException;

    /**
     * Commits; after it every query that starts sees the rows, whatever crashes.
     *
     * @throws TransactionError if the commit was refused; the transaction is aborted then. With
     *     code TABLE_COMMIT_UNKNOWN its outcome is not known yet: the same call finds out.
     * @throws StreamingIOFailure if a file cannot be written: the transaction is aborted
     */
    CommitInfo commitTransaction() throws StreamingException;

    /**
     * The same under a sequence that is known only now, such as the offset of the last record.
     *
     * @throws InvalidTransactionState also if the connection has no source
     */
    CommitInfo commitTransaction(long sequence) throws StreamingException;

    /** Forgets the rows of the open transaction. */
    void abortTransaction() throws StreamingException;

    /**
     * Aborts what is open and lets go of everything; calling it again does nothing. Small files of
     * an unfinished batch are put together first.
     */
    @Override
    void close();

    /** The highest sequence of a source that is committed: where to go on after a restart. */
    OptionalLong lastCommitted(String source) throws StreamingException;

    ConnectionStats getConnectionStats();

    TxnState getCurrentTransactionState();

    /** Transactions of the batch that did not begin yet. */
    int remainingTransactions();

    /** The batch in one line, one letter for each transaction. */
    String toTransactionString();

    /** Partitions of the rows of the open transaction, such as {@code continent=Asia}. */
    Set<String> getPartitions();

    String getDatabase();

    String getTable();

    List<@Nullable String> getStaticPartitionValues();

    boolean isPartitionedTable();

    /** Whether records carry their partition values. */
    boolean isDynamicPartitioning();

    String getAgentInfo();
}
