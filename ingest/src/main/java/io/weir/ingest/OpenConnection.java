package io.weir.ingest;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.ErrorKind;
import io.weir.core.error.WeirException;
import io.weir.ingest.commit.TableCommitter;
import io.weir.ingest.record.RecordStream;
import io.weir.ingest.row.RecordException;
import io.weir.ingest.row.RouteLimitException;
import io.weir.ingest.row.RoutedRows;
import io.weir.table.IngestLook;
import io.weir.table.IngestOutcome;
import io.weir.table.IngestTransaction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/** A connection, from connect to close. One lock lets timers and a foreign close in. */
final class OpenConnection extends ConnectionFacts {
    private static final Logger LOG = LoggerFactory.getLogger(OpenConnection.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final TransactionFiles files;
    private final BatchFiles batchFiles;
    private final TransactionCommit commit;

    private OptionalLong lastSequence = OptionalLong.empty();
    private @Nullable IngestTransaction sent;
    private Timer.Pending ageTimer = Timer.Pending.NONE;
    private Timer.Pending batchTimer = Timer.Pending.NONE;
    private long transactionRows;
    private long transactionBytes;
    private long records;

    private OpenConnection(ConnectionSettings settings, TableCommitter committer, Intake intake) {
        super(settings, committer, intake);
        this.files = new TransactionFiles(committer, stats);
        this.batchFiles = new BatchFiles(committer, stats);
        String source = settings.source();
        long epoch = source == null ? 0 : committer.claim(source);
        this.commit = new TransactionCommit(settings, stats, committer, files, batchFiles, epoch);
        if (source != null) {
            lastSequence = committer.lookNow().lastCommitted(source);
        }
        stats.catalogCalls.add(source == null ? 1 : 3);
    }

    static OpenConnection open(ConnectionSettings settings) throws StreamingException {
        TableCommitter committer = committer(settings);
        try {
            return new OpenConnection(
                    settings, committer, Intake.of(committer.lookNow(), settings));
        } catch (WeirException e) {
            committer.close();
            throw connectError(e);
        } catch (StreamingException | RuntimeException e) {
            committer.close();
            throw e;
        }
    }

    @Override
    public void beginTransaction() throws StreamingException {
        lock.lock();
        try {
            begin(settings.source() == null ? null : lastSequence.orElse(0) + 1);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void beginTransaction(long wanted) throws StreamingException {
        lock.lock();
        try {
            requireSource(wanted);
            begin(wanted);
        } finally {
            lock.unlock();
        }
    }

    private void begin(@Nullable Long wanted) throws StreamingException {
        requireUsable("begin a transaction");
        if (isOpen()) {
            throw state("begin a transaction", "one is open; commit or abort it first");
        }
        IngestLook look = look();
        if (!intake.fits(look)) {
            intake = Intake.of(look, settings);
        }
        if (batch == null || batch.remaining() == 0) {
            endBatch();
            batch = new TransactionBatch(settings.batchSize());
            if (!settings.batchTimeout().isZero()) {
                batchTimer = settings.timer().after(settings.batchTimeout(), this::batchTimeout);
            }
        }
        lease.begin(committer::newFile, wanted);
        batch.begin();
        sequence = wanted;
        if (wanted != null) {
            lastSequence = OptionalLong.of(wanted);
        }
        transactionRows = 0;
        transactionBytes = 0;
        if (!settings.autoCommit().age().isZero()) {
            ageTimer = settings.timer().after(settings.autoCommit().age(), this::tooOld);
        }
    }

    @Override
    public void write(byte[] record) throws StreamingException {
        write(record, 0, record.length);
    }

    @Override
    public void write(byte[] record, int offset, int length) throws StreamingException {
        lock.lock();
        try {
            requireWritable();
            take(record, offset, length, 0);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long write(InputStream input) throws StreamingException {
        try (InputStream in = input) {
            RecordStream stream = new RecordStream(in, settings.writer().framing());
            long taken = 0;
            while (stream.next()) {
                lock.lock();
                try {
                    requireWritable();
                    taken += take(stream.bytes(), stream.offset(), stream.length(), stream.line());
                } finally {
                    lock.unlock();
                }
            }
            return taken;
        } catch (IOException e) {
            throw new StreamingIOFailure(
                    ErrorCode.RECORD_INVALID,
                    "Cannot read the stream of records after record " + records + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private void requireWritable() throws StreamingException {
        if (settings.autoCommit().isOn() && !closed && !isOpen()) {
            beginTransaction();
        }
        requireOpen("write");
        if (sent != null) {
            throw state("write", "the outcome of its commit is not known; commit again");
        }
        requireLease();
    }

    /** A transaction that the ledger took away ends here, and whoever calls hears why. */
    private void requireLease() throws StreamingException {
        StreamingException lost = lease.lost();
        if (lost != null) {
            end(TxnState.ABORTED);
            throw lost;
        }
    }

    private int take(byte[] record, int offset, int length, long line) throws StreamingException {
        records++;
        long nulled = intake.nulled();
        try {
            intake.take(record, offset, length);
        } catch (RecordException e) {
            stats.recordsRejected.increment();
            settings.policy()
                    .reject(new RejectedRecord(
                            records,
                            line,
                            e.column(),
                            e.value(),
                            e.reason(),
                            Arrays.copyOfRange(record, offset, offset + length)));
            return 0;
        } catch (RouteLimitException e) {
            throw tooManyPartitions(records, e);
        }
        if (intake.nulled() > nulled) {
            stats.valuesNulled.add(intake.nulled() - nulled);
        }
        stats.record(length);
        transactionRows++;
        transactionBytes += length;
        RoutedRows rows = intake.rows();
        if (rows.memory() + files.memory() > settings.memory()) {
            flush();
        } else if (rows.last().isFull()) {
            files.grow(rows.last(), rows);
        }
        if (settings.autoCommit().isDue(transactionRows, transactionBytes)) {
            commitTransaction();
        }
        return 1;
    }

    private void flush() throws StreamingException {
        stats.autoFlushes.increment();
        try {
            files.makeRoom(intake.rows(), settings.memory());
        } catch (IOException | RuntimeException e) {
            throw dead(e);
        }
    }

    @Override
    public CommitInfo commitTransaction() throws StreamingException {
        lock.lock();
        try {
            requireOpen("commit");
            if (sent == null) {
                lease.commit();
                requireLease();
            }
            IngestTransaction transaction = sent == null ? prepare() : sent;
            sent = transaction;
            IngestOutcome outcome = send(transaction);
            CommitInfo info = commit.conclude(transaction, outcome, intake, sequence);
            end(TxnState.COMMITTED);
            return info;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CommitInfo commitTransaction(long wanted) throws StreamingException {
        lock.lock();
        try {
            requireOpen("commit");
            requireSource(wanted);
            if (sent == null) {
                sequence = wanted;
                lastSequence = OptionalLong.of(wanted);
            }
            return commitTransaction();
        } finally {
            lock.unlock();
        }
    }

    private IngestTransaction prepare() throws StreamingException {
        try {
            return commit.prepare(intake, sequence);
        } catch (IOException | RuntimeException e) {
            throw dead(e);
        }
    }

    private @Nullable IngestOutcome send(IngestTransaction transaction) throws StreamingException {
        IngestOutcome outcome;
        try {
            outcome = commit.send(transaction);
        } catch (WeirException e) {
            if (e.code().kind() != ErrorKind.UNKNOWN_OUTCOME) {
                end(TxnState.ABORTED);
            }
            throw StreamingException.of(e);
        } catch (RuntimeException e) {
            throw dead(e);
        }
        WeirException refusal = outcome == null ? null : outcome.refusal();
        if (refusal != null) {
            end(TxnState.ABORTED);
            throw StreamingException.of(refusal);
        }
        return outcome;
    }

    /** Whatever is still in memory or in files that nobody committed goes. */
    private void end(TxnState state) {
        ageTimer.cancel();
        lease.end();
        sent = null;
        files.delete();
        intake.rows().clear();
        if (batch != null) {
            batch.end(state);
        }
        if (state == TxnState.ABORTED) {
            stats.abortedTransactions.increment();
        }
    }

    /** A file cannot be written, so the transaction ends here and its batch with it. */
    private StreamingException dead(Exception e) {
        end(TxnState.ABORTED);
        if (batch != null) {
            batch.abortAll();
        }
        return ioFailure(e);
    }

    @Override
    public void abortTransaction() throws StreamingException {
        lock.lock();
        try {
            requireOpen("abort");
            if (sent != null) {
                throw state("abort", "the outcome of its commit is not known; commit again");
            }
            end(TxnState.ABORTED);
        } finally {
            lock.unlock();
        }
    }

    /** The oldest row waited long enough; an error waits for the next call. */
    private void tooOld() {
        lock.lock();
        try {
            if (!closed && isOpen() && sent == null) {
                commitTransaction();
            }
        } catch (StreamingException e) {
            postponed = e;
        } finally {
            lock.unlock();
        }
    }

    private void batchTimeout() {
        lock.lock();
        try {
            if (!closed) {
                batchFiles.rewrite();
                batchTimer = settings.timer().after(settings.batchTimeout(), this::batchTimeout);
            }
        } finally {
            lock.unlock();
        }
    }

    private void endBatch() {
        batchTimer.cancel();
        batchFiles.rewrite();
    }

    @Override
    public void close() {
        closed = true;
        lock.lock();
        try {
            if (shut) {
                return;
            }
            shut = true;
            if (isOpen() && sent == null) {
                end(TxnState.ABORTED);
            }
            if (postponed != null) {
                LOG.atError()
                        .setCause(postponed)
                        .log("Rows of a failed commit are not in the table");
            }
            endBatch();
            lease.leave();
            committer.close();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public OptionalLong lastCommitted(String source) throws StreamingException {
        lock.lock();
        try {
            requireUsable("look for source " + source);
            stats.catalogCalls.increment();
            return committer.lookNow().lastCommitted(source);
        } catch (WeirException e) {
            throw StreamingException.of(e);
        } finally {
            lock.unlock();
        }
    }
}
