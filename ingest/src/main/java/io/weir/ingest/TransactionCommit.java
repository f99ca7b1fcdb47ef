package io.weir.ingest;

import io.weir.core.row.Balance;
import io.weir.ingest.commit.TableCommitter;
import io.weir.table.IngestMark;
import io.weir.table.IngestOutcome;
import io.weir.table.IngestTransaction;
import io.weir.table.StagedFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** Turns the rows of the open transaction into files and these into a commit. */
final class TransactionCommit {
    private final ConnectionSettings settings;
    private final ConnectionStats stats;
    private final TableCommitter committer;
    private final TransactionFiles files;
    private final BatchFiles batchFiles;
    private final long epoch;

    TransactionCommit(
            ConnectionSettings settings,
            ConnectionStats stats,
            TableCommitter committer,
            TransactionFiles files,
            BatchFiles batchFiles,
            long epoch) {
        this.settings = settings;
        this.stats = stats;
        this.committer = committer;
        this.files = files;
        this.batchFiles = batchFiles;
        this.epoch = epoch;
    }

    /** Writes what is in memory and says what is to be committed. */
    IngestTransaction prepare(Intake intake, @Nullable Long sequence) throws IOException {
        files.writeAll(intake.rows());
        String source = settings.source();
        IngestMark mark =
                source == null || sequence == null ? null : new IngestMark(source, epoch, sequence);
        return new IngestTransaction(
                settings.agent(),
                mark,
                intake.look().schema(),
                intake.look().partitionBy(),
                files.staged(),
                files.balance());
    }

    /** Null if there is nothing to commit. */
    @Nullable
    IngestOutcome send(IngestTransaction transaction) {
        if (transaction.files().isEmpty() && transaction.mark() == null) {
            return null;
        }
        stats.catalogCalls.increment();
        return committer.commit(transaction);
    }

    /** Books a transaction that was not refused. */
    CommitInfo conclude(
            IngestTransaction transaction,
            @Nullable IngestOutcome outcome,
            Intake intake,
            @Nullable Long sequence) {
        stats.committedTransactions.increment();
        if (outcome != null && outcome.kind() == IngestOutcome.Kind.REPEATED) {
            stats.repeatedTransactions.increment();
            return new CommitInfo(null, Balance.ZERO, 0, 0, sequence, true);
        }
        if (settings.batchSize() > 1) {
            batchFiles.add(files.files(), intake.look());
        }
        files.handOver();
        stats.recordsCommitted.add(transaction.delta().rows());
        return new CommitInfo(
                outcome == null ? null : outcome.snapshotId(),
                transaction.delta(),
                transaction.files().size(),
                transaction.files().stream().mapToLong(StagedFile::bytes).sum(),
                sequence,
                false);
    }
}
