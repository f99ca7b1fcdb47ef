package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.row.Balance;

import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.io.OutputFileFactory;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Commits what a window changes to a branch that readers of main do not see. */
final class ReplicaStaging {
    private final String target;
    private final ManifestEntries manifests;
    private final PublishAttempt attempt;
    private final ReplicaDelta delta;

    ReplicaStaging(TableHandle handle, PublishAttempt attempt, ReplicaDelta delta) {
        this.target = handle.target();
        this.manifests = handle.manifests();
        this.attempt = attempt;
        this.delta = delta;
    }

    /** Stages, or finds what an earlier call of the same attempt staged. */
    long stage(PinnedOperations operations) {
        TableMetadata metadata = operations.current();
        Snapshot base = metadata.snapshot(attempt.baseSnapshotId());
        if (base == null) {
            throw moved("its base was expired (snapshot=" + attempt.baseSnapshotId() + ")");
        }
        SnapshotRef branch = metadata.ref(attempt.branch());
        if (branch != null) {
            return alreadyStaged(metadata.snapshot(branch.snapshotId()));
        }
        LogPosition merged = ReplicaWords.merged(metadata.properties());
        if (!merged.equals(delta.from())) {
            throw moved("the table is at another position (expected="
                    + delta.from().text() + ", found=" + merged.text() + ")");
        }
        check(metadata);
        Balance opening = MainBalance.at(target, metadata, attempt.baseSnapshotId());
        Balance closing = opening.minus(delta.removedBalance()).plus(delta.appendedBalance());
        Transaction transaction = operations.table().newTransaction();
        SnapshotLimit.apply(metadata, transaction::expireSnapshots);
        transaction
                .manageSnapshots()
                .createBranch(attempt.branch(), attempt.baseSnapshotId())
                .commit();
        RowDelta update = transaction
                .newRowDelta()
                .scanManifestsWith(CallerExecutor.INSTANCE)
                .toBranch(attempt.branch())
                .validateFromSnapshot(attempt.baseSnapshotId());
        delta.appended()
                .forEach(file -> update.addRows(
                        Staging.dataFile(file, transaction.table().spec())));
        remove(operations.table(), base, update);
        SnapshotSummary.sign(update, attempt);
        SnapshotSummary.enter(update, closing, delta.appendedBalance());
        SnapshotSummary.enterRemoved(update, delta.removedBalance());
        ReplicaWords.enter(update, delta.to());
        update.commit();
        Snapshot staged = transaction.table().snapshot(attempt.branch());
        requireRows(staged, closing);
        transaction.commitTransaction();
        return staged.snapshotId();
    }

    private void check(TableMetadata metadata) {
        long rows = delta.appended().stream().mapToLong(StagedFile::rows).sum();
        long removed =
                delta.removed().stream().mapToLong(of -> of.positions().size()).sum();
        boolean fits = rows == delta.appendedBalance().rows()
                && (delta.emptied() || removed == delta.removedBalance().rows());
        if (!fits) {
            throw new WeirException(
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot stage run " + attempt.runId()
                            + ": its files hold other rows than its balances (appended=" + rows
                            + ", removed=" + removed + ", balances="
                            + delta.appendedBalance().rows() + " and "
                            + delta.removedBalance().rows() + ")");
        }
        for (StagedFile file : delta.appended()) {
            TablePartitions.checkRoute(file, metadata.spec());
            if (!file.path().startsWith(metadata.location() + "/data/")) {
                throw new WeirException(
                        ErrorCode.VALIDATION_FAILED,
                        "Cannot stage file " + file.path()
                                + ": it is not below the table's data directory (directory="
                                + metadata.location() + "/data)");
            }
        }
    }

    private void remove(Table table, Snapshot base, RowDelta update) {
        Map<String, DeletedRows.Live> live = DeletedRows.live(manifests, table, base);
        if (delta.emptied()) {
            live.values().forEach(file -> {
                update.removeRows(file.file());
                DeleteFile vector = file.vector();
                if (vector != null) {
                    update.removeDeletes(vector);
                }
            });
            return;
        }
        if (delta.removed().isEmpty()) {
            return;
        }
        DeleteWriteResult written = write(table, live);
        written.deleteFiles().forEach(update::addDeletes);
        written.rewrittenDeleteFiles().forEach(update::removeDeletes);
        update.validateDataFilesExist(
                delta.removed().stream().map(RemovedRows::path).toList());
    }

    /** One vector for each file that loses rows, with the rows that it had lost before. */
    private DeleteWriteResult write(Table table, Map<String, DeletedRows.Live> live) {
        OutputFileFactory files = OutputFileFactory.builderFor(table, 0, attempt.epoch())
                .format(FileFormat.PUFFIN)
                .operationId(attempt.runId() + "-e" + attempt.epoch() + "-"
                        + SnapshotSummary.hash(attempt.token()))
                .build();
        BaseDVFileWriter writer =
                new BaseDVFileWriter(files, path -> previous(table, live.get(path)));
        try (writer) {
            for (RemovedRows rows : delta.removed()) {
                DeletedRows.Live file = live.get(rows.path());
                if (file == null) {
                    throw moved(
                            "a file that loses rows is not in the base (file=" + rows.path() + ")");
                }
                for (int i = 0; i < rows.positions().size(); i++) {
                    writer.delete(
                            rows.path(),
                            rows.positions().get(i),
                            table.specs().get(file.file().specId()),
                            file.file().partition());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write deletion vectors of " + target, e);
        }
        return writer.result();
    }

    private static @Nullable PositionDeleteIndex previous(
            Table table, DeletedRows.@Nullable Live live) {
        DeleteFile vector = live == null ? null : live.vector();
        return vector == null ? null : DeletedRows.index(table, vector);
    }

    /** What Iceberg counts by itself must be what the books say. */
    private void requireRows(Snapshot staged, Balance closing) {
        Map<String, String> summary = staged.summary();
        long rows = SnapshotSummary.number(summary.get("total-records"))
                - SnapshotSummary.number(summary.get("total-position-deletes"));
        if (rows != closing.rows()) {
            throw new WeirException(
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot stage run " + attempt.runId() + " on table " + target
                            + ": Iceberg counts other rows than the books (expected="
                            + closing.rows() + ", found=" + rows + ")");
        }
    }

    /**
     * A reply may have been lost, or another process planned again: the same rows get the same
     * answer, in whatever files they are.
     */
    private long alreadyStaged(Snapshot staged) {
        Map<String, String> summary = staged.summary();
        boolean same = SnapshotSummary.isOf(staged, attempt)
                && Long.valueOf(attempt.baseSnapshotId()).equals(staged.parentId())
                && ReplicaWords.staged(summary).filter(delta.to()::equals).isPresent()
                && delta.appendedBalance()
                        .digestText()
                        .equals(summary.get(SnapshotSummary.DELTA_DIGEST))
                && delta.removedBalance()
                        .digestText()
                        .equals(summary.get(SnapshotSummary.REMOVED_DIGEST));
        if (!same) {
            throw moved("the branch holds something else (branch=" + attempt.branch()
                    + ", snapshot=" + staged.snapshotId() + ")");
        }
        return staged.snapshotId();
    }

    private WeirException moved(String reason) {
        return new WeirException(
                ErrorCode.TABLE_MOVED,
                "Cannot stage run " + attempt.runId() + " on table " + target + ": " + reason);
    }
}
