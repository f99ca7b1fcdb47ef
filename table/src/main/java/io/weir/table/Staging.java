package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;

import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.expressions.Expressions;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Commits the files of a run to a branch that readers of main do not see. */
final class Staging {
    private final String target;
    private final ManifestEntries manifests;
    private final List<Column> columns;
    private final PartitionBy partitionBy;
    private final PublishAttempt attempt;
    private final PublishMode mode;
    private final List<StagedFile> files;
    private final Balance delta;
    private final @Nullable Removal removal;

    Staging(
            TableHandle handle,
            List<Column> columns,
            PartitionBy partitionBy,
            PublishAttempt attempt,
            PublishMode mode,
            List<StagedFile> files,
            Balance delta,
            @Nullable Removal removal) {
        this.target = handle.target();
        this.manifests = handle.manifests();
        this.columns = columns;
        this.partitionBy = partitionBy;
        this.attempt = attempt;
        this.mode = mode;
        this.files = files;
        this.delta = delta;
        this.removal = removal;
    }

    /** Stages, or finds what an earlier call of the same attempt staged. */
    long stage(PinnedOperations operations) {
        TableMetadata metadata = operations.current();
        check(metadata);
        SnapshotRef branch = metadata.ref(attempt.branch());
        if (branch != null) {
            return alreadyStaged(operations, metadata.snapshot(branch.snapshotId()));
        }
        Balance closing = opening(metadata).plus(delta);
        Transaction transaction = operations.table().newTransaction();
        if (isMain(metadata, attempt.baseSnapshotId())) {
            SnapshotLimit.apply(metadata, transaction::expireSnapshots);
        }
        transaction
                .manageSnapshots()
                .createBranch(attempt.branch(), attempt.baseSnapshotId())
                .commit();
        SnapshotUpdate<?> update = switch (mode) {
            case APPEND -> append(transaction);
            case REPLACE -> replace(transaction);
            case REPLACE_PARTITIONS -> replacePartition(transaction, operations);
        };
        SnapshotSummary.sign(update, attempt);
        SnapshotSummary.enter(update, closing, delta);
        if (removal != null) {
            SnapshotSummary.enterRemoved(update, removal.balance());
        }
        update.commit();
        long staged = transaction.table().snapshot(attempt.branch()).snapshotId();
        transaction.commitTransaction();
        return staged;
    }

    private void check(TableMetadata metadata) {
        List<String> differences = TargetSchema.differences(metadata, columns, partitionBy);
        if (!differences.isEmpty()) {
            throw mismatch(target, differences);
        }
        long rows = files.stream().mapToLong(StagedFile::rows).sum();
        if (rows != delta.rows()) {
            throw new WeirException(
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot stage run " + attempt.runId()
                            + ": its files hold other rows than its balance (files=" + rows
                            + ", balance=" + delta.rows() + ")");
        }
        String root = metadata.location() + "/data";
        for (StagedFile file : files) {
            TablePartitions.checkRoute(file, metadata.spec());
            if (removal != null && !removal.rows().holds(file.route())) {
                throw new WeirException(
                        ErrorCode.VALIDATION_FAILED,
                        "Cannot stage file " + file.path()
                                + ": it is of another partition than the one that is replaced"
                                + " (file=" + partitionBy.text(file.route(), columns)
                                + ", replaced=" + removal.rows().value() + ")");
            }
            if (!file.path().startsWith(root + "/")) {
                throw new WeirException(
                        ErrorCode.VALIDATION_FAILED,
                        "Cannot stage file " + file.path()
                                + ": it is not below the table's data directory (directory=" + root
                                + ")");
            }
        }
        if (metadata.snapshot(attempt.baseSnapshotId()) == null) {
            throw new WeirException(
                    ErrorCode.TABLE_MOVED,
                    "Cannot stage run " + attempt.runId() + " on table " + target
                            + ": its base was expired (snapshot=" + attempt.baseSnapshotId() + ")");
        }
    }

    private static boolean isMain(TableMetadata metadata, long snapshotId) {
        Snapshot main = metadata.currentSnapshot();
        return main != null && main.snapshotId() == snapshotId;
    }

    static WeirException mismatch(String target, List<String> differences) {
        String message = "Cannot load into table " + target + ": " + String.join("; ", differences);
        if (differences.get(0).contains(TargetSchema.DIGEST + " is missing")) {
            return new WeirException(
                    ErrorCode.TARGET_SCHEMA_MISMATCH,
                    message,
                    "Load into another table, or drop this one and let Weir create it.",
                    null);
        }
        return new WeirException(ErrorCode.TARGET_SCHEMA_MISMATCH, message);
    }

    /** What rows stay. A replaced state may be anybody's; one that stays must be known. */
    private Balance opening(TableMetadata metadata) {
        if (mode == PublishMode.REPLACE) {
            return Balance.ZERO;
        }
        Balance base = MainBalance.at(target, metadata, attempt.baseSnapshotId());
        return removal == null ? base : base.minus(removal.balance());
    }

    private AppendFiles append(Transaction transaction) {
        AppendFiles update = transaction
                .newFastAppend()
                .scanManifestsWith(CallerExecutor.INSTANCE)
                .toBranch(attempt.branch());
        for (StagedFile file : files) {
            update.appendFile(dataFile(file, transaction.table().spec()));
        }
        return update;
    }

    private OverwriteFiles replace(Transaction transaction) {
        OverwriteFiles update = transaction
                .newOverwrite()
                .scanManifestsWith(CallerExecutor.INSTANCE)
                .toBranch(attempt.branch())
                .overwriteByRowFilter(Expressions.alwaysTrue());
        for (StagedFile file : files) {
            update.addFile(dataFile(file, transaction.table().spec()));
        }
        return update;
    }

    /** Removes the very files that were measured, by name: no filter decides anything here. */
    private OverwriteFiles replacePartition(Transaction transaction, PinnedOperations operations) {
        Removal wanted = required(removal);
        Table table = operations.table();
        List<DataFile> named = SnapshotFiles.named(
                manifests, table, table.snapshot(attempt.baseSnapshotId()), wanted.rows());
        Set<FileEntry> found = named.stream()
                .map(file -> SnapshotFiles.entry(table, file))
                .collect(Collectors.toSet());
        if (!found.equals(Set.copyOf(wanted.files()))) {
            throw new WeirException(
                    ErrorCode.TABLE_MOVED,
                    "Cannot stage run " + attempt.runId() + " on table " + target
                            + ": other files would be replaced than were measured (base="
                            + attempt.baseSnapshotId() + ", measured="
                            + wanted.files().size()
                            + ", found=" + found.size() + ")");
        }
        OverwriteFiles update = transaction
                .newOverwrite()
                .scanManifestsWith(CallerExecutor.INSTANCE)
                .toBranch(attempt.branch());
        named.forEach(update::deleteFile);
        for (StagedFile file : files) {
            update.addFile(dataFile(file, transaction.table().spec()));
        }
        return update;
    }

    private static Removal required(@Nullable Removal removal) {
        if (removal == null) {
            throw new IllegalArgumentException("Nothing says which partition is replaced");
        }
        return removal;
    }

    static DataFile dataFile(StagedFile file, PartitionSpec spec) {
        StagedFile.ColumnMetrics columns = file.metrics();
        Metrics metrics = new Metrics(
                file.rows(),
                columns.sizes(),
                columns.values(),
                columns.nulls(),
                null,
                columns.lower(),
                columns.upper());
        DataFiles.Builder builder = DataFiles.builder(spec)
                .withPath(file.path())
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(file.bytes())
                .withMetrics(metrics);
        if (spec.isPartitioned()) {
            builder.withPartition(TablePartitions.data(spec, file.route()));
        }
        if (!file.splitOffsets().isEmpty()) {
            builder.withSplitOffsets(file.splitOffsets());
        }
        return builder.build();
    }

    private boolean sameRemoval(Table table, Snapshot staged) {
        return removal == null
                || Set.copyOf(removal.files())
                        .equals(Set.copyOf(SnapshotFiles.removedBy(table, staged)));
    }

    /** A reply may have been lost; the same content again gets the same answer. */
    private long alreadyStaged(PinnedOperations operations, Snapshot staged) {
        Table table = operations.table();
        Set<FileEntry> wanted = files.stream()
                .map(file -> new FileEntry(file.path(), file.rows(), file.bytes(), file.route()))
                .collect(Collectors.toSet());
        boolean same = SnapshotSummary.isOf(staged, attempt)
                && Long.valueOf(attempt.baseSnapshotId()).equals(staged.parentId())
                && delta.digestText().equals(staged.summary().get(SnapshotSummary.DELTA_DIGEST))
                && sameRemoval(table, staged)
                && wanted.equals(Set.copyOf(SnapshotFiles.addedBy(table, staged)));
        if (!same) {
            throw new WeirException(
                    ErrorCode.TABLE_MOVED,
                    "Cannot stage run " + attempt.runId() + " on table " + target
                            + ": the branch holds something else (branch=" + attempt.branch()
                            + ", snapshot=" + staged.snapshotId() + ")");
        }
        return staged.snapshotId();
    }
}
