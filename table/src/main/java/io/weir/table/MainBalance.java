package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Balance;

import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Optional;

/**
 * The absolute balance of a snapshot: its own, or that of the nearest ancestor of ours if
 * everything since then kept the rows. Files that others put together in another way keep them:
 * operation {@code replace} with an equal record count.
 */
final class MainBalance {
    private static final String RECORDS = "total-records";

    private MainBalance() {}

    /**
     * Reads the balance of a snapshot.
     *
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} if another writer may have
     *     changed rows
     */
    static Balance at(String target, TableMetadata metadata, long snapshotId) {
        Snapshot snapshot = Objects.requireNonNull(metadata.snapshot(snapshotId), "snapshot");
        while (true) {
            Optional<Balance> own = SnapshotSummary.balance(snapshot.summary());
            if (own.isPresent()) {
                return own.get();
            }
            Optional<Balance> measured = measured(metadata, snapshot);
            if (measured.isPresent()) {
                return measured.get();
            }
            Snapshot parent = parentOf(metadata, snapshot);
            if (parent == null) {
                return fromProperties(target, metadata, snapshot);
            }
            // A fence on top of a foreign snapshot says nothing about rows.
            if (!SnapshotSummary.isFence(snapshot) && !keepsRows(snapshot, parent)) {
                throw foreign(target, snapshot);
            }
            snapshot = parent;
        }
    }

    /** What was measured when a snapshot of another writer was accepted. */
    private static Optional<Balance> measured(TableMetadata metadata, Snapshot snapshot) {
        String balanced = metadata.properties().get(SnapshotSummary.BALANCE_SNAPSHOT);
        return Long.toString(snapshot.snapshotId()).equals(balanced)
                ? SnapshotSummary.balance(metadata.properties())
                : Optional.empty();
    }

    /** The parent may be expired; the properties then still hold its balance, if it was ours. */
    private static Balance fromProperties(
            String target, TableMetadata metadata, Snapshot snapshot) {
        String balanced = metadata.properties().get(SnapshotSummary.BALANCE_SNAPSHOT);
        Optional<Balance> balance = SnapshotSummary.balance(metadata.properties());
        boolean same = balance.isPresent()
                && String.valueOf(snapshot.parentId()).equals(balanced)
                && DataOperations.REPLACE.equals(snapshot.operation())
                && records(snapshot) == balance.get().rows();
        if (!same) {
            throw foreign(target, snapshot);
        }
        return balance.orElseThrow();
    }

    private static boolean keepsRows(Snapshot snapshot, Snapshot parent) {
        return DataOperations.REPLACE.equals(snapshot.operation())
                && records(snapshot) >= 0
                && records(snapshot) == records(parent);
    }

    private static long records(Snapshot snapshot) {
        String text = snapshot.summary().get(RECORDS);
        return text == null ? -1 : Long.parseLong(text);
    }

    private static @Nullable Snapshot parentOf(TableMetadata metadata, Snapshot snapshot) {
        Long parentId = snapshot.parentId();
        return parentId == null ? null : metadata.snapshot(parentId);
    }

    private static WeirException foreign(String target, Snapshot snapshot) {
        return new WeirException(
                ErrorCode.TABLE_FOREIGN_WRITE,
                "Cannot tell the balance of table " + target
                        + ": another writer made a snapshot (snapshot=" + snapshot.snapshotId()
                        + ", operation=" + snapshot.operation()
                        + ", records=" + records(snapshot) + ")");
    }
}
