package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Balance;

import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What position and balance the snapshots of a replicated table have. */
final class ReplicaBooks {
    private ReplicaBooks() {}

    static Snapshot main(String target, TableMetadata metadata) {
        Snapshot main = metadata.currentSnapshot();
        if (main == null) {
            throw foreign(target, "it has no snapshot");
        }
        return main;
    }

    static Snapshot snapshot(String target, TableMetadata metadata, long snapshotId) {
        Snapshot snapshot = metadata.snapshot(snapshotId);
        if (snapshot == null) {
            throw moved(target, "the snapshot does not exist (snapshot=" + snapshotId + ")");
        }
        return snapshot;
    }

    /** The state that readers see; its position must speak of its very rows. */
    static ReplicaState state(String target, TableMetadata metadata) {
        Snapshot main = main(target, metadata);
        Map<String, String> words = metadata.properties();
        Long positioned = ReplicaWords.mergedSnapshot(words);
        if (positioned == null) {
            Balance balance = MainBalance.at(target, metadata, main.snapshotId());
            if (balance.rows() != 0) {
                throw moved(target, "its rows were loaded and nobody said up to which position");
            }
            return new ReplicaState(
                    main.snapshotId(), LogPosition.NONE, true, LogPosition.NONE, balance);
        }
        requirePosition(target, metadata, main, positioned);
        return new ReplicaState(
                main.snapshotId(),
                ReplicaWords.merged(words),
                ReplicaWords.exact(words),
                ReplicaWords.verified(words),
                MainBalance.at(target, metadata, main.snapshotId()));
    }

    /** Only fences may lie between main and the snapshot that the position speaks of. */
    private static void requirePosition(
            String target, TableMetadata metadata, Snapshot main, long positioned) {
        if (!isAncestor(metadata, main, positioned)) {
            throw foreign(
                    target,
                    "another writer set main back (snapshot=" + main.snapshotId() + ", expected="
                            + positioned + ")");
        }
        for (Snapshot at = main;
                at != null && at.snapshotId() != positioned;
                at = parentOf(metadata, at)) {
            if (SnapshotSummary.isFence(at)) {
                continue;
            }
            if (at.summary().containsKey(SnapshotSummary.RUN)) {
                throw moved(
                        target,
                        "rows were loaded and nobody said up to which position (snapshot="
                                + at.snapshotId() + ")");
            }
            throw foreign(
                    target,
                    "another writer made a snapshot (snapshot=" + at.snapshotId() + ", operation="
                            + at.operation() + ")");
        }
    }

    private static boolean isAncestor(TableMetadata metadata, Snapshot from, long snapshotId) {
        boolean found = false;
        for (Snapshot at = from; at != null && !found; at = parentOf(metadata, at)) {
            found = at.snapshotId() == snapshotId;
        }
        return found;
    }

    /** The state that a snapshot of ours had when it was main. */
    static ReplicaState earlier(String target, TableMetadata metadata, long snapshotId) {
        Snapshot snapshot = snapshot(target, metadata, snapshotId);
        if (!isAncestor(metadata, main(target, metadata), snapshotId)) {
            throw moved(
                    target, "the snapshot is not one that main was (snapshot=" + snapshotId + ")");
        }
        requireColumns(target, metadata, snapshot);
        Map<String, String> words = metadata.properties();
        Optional<LogPosition> merged = ReplicaWords.staged(snapshot.summary());
        Optional<LogPosition> first = ReplicaWords.first(words, snapshotId);
        Optional<Balance> balance = SnapshotSummary.balance(snapshot.summary());
        if (balance.isEmpty() || (merged.isEmpty() && first.isEmpty())) {
            throw foreign(
                    target,
                    "the snapshot says nothing of position and balance (snapshot=" + snapshotId
                            + ")");
        }
        boolean exact = merged.isPresent() || ReplicaWords.firstExact(words);
        LogPosition position = merged.orElseGet(first::orElseThrow);
        return new ReplicaState(
                snapshotId,
                position,
                exact,
                exact ? position : LogPosition.NONE,
                balance.orElseThrow());
    }

    /** Rows of columns that the table has no longer would be read as NULL. */
    private static void requireColumns(String target, TableMetadata metadata, Snapshot snapshot) {
        Integer id = snapshot.schemaId();
        Schema then = id == null ? null : metadata.schemasById().get(id);
        boolean all = then == null
                || then.columns().stream()
                        .allMatch(field -> metadata.schema().findField(field.fieldId()) != null);
        if (!all) {
            throw new WeirException(
                    ErrorCode.TARGET_SCHEMA_MISMATCH,
                    "Cannot roll back table " + target
                            + ": it had other columns then (snapshot=" + snapshot.snapshotId()
                            + ", columns=" + names(then) + ", now=" + names(metadata.schema())
                            + "); read that snapshot by its id instead");
        }
    }

    private static List<String> names(@Nullable Schema schema) {
        return schema == null
                ? List.of()
                : schema.columns().stream().map(Types.NestedField::name).toList();
    }

    /** A foreign snapshot on top of ours that only put files together anew. */
    static OptionalLong unmeasured(String target, TableMetadata metadata) {
        Snapshot main = main(target, metadata);
        Long positioned = ReplicaWords.mergedSnapshot(metadata.properties());
        for (Snapshot at = main; at != null; at = parentOf(metadata, at)) {
            boolean ours = SnapshotSummary.balance(at.summary()).isPresent();
            if (ours || (positioned != null && at.snapshotId() == positioned)) {
                return at == main ? OptionalLong.empty() : OptionalLong.of(main.snapshotId());
            }
            if (!SnapshotSummary.isFence(at) && !DataOperations.REPLACE.equals(at.operation())) {
                throw foreign(
                        target,
                        "another writer changed rows (snapshot=" + at.snapshotId() + ", operation="
                                + at.operation() + ")");
            }
        }
        throw foreign(target, "no snapshot of ours is left below main");
    }

    /** Refuses unless the foreign snapshot kept every row. */
    static void requireKept(
            String target, TableMetadata metadata, long snapshotId, Balance measured) {
        OptionalLong open = unmeasured(target, metadata);
        if (open.isEmpty() || open.getAsLong() != snapshotId) {
            throw moved(
                    target,
                    "main is another snapshot than was measured (snapshot=" + snapshotId + ")");
        }
        Balance expected = ours(target, metadata);
        if (!expected.equals(measured)) {
            throw foreign(
                    target,
                    "another writer changed rows while it put files together (snapshot="
                            + snapshotId + ", expected=" + expected + ", found=" + measured + ")");
        }
    }

    /** The balance of the last snapshot of ours. */
    private static Balance ours(String target, TableMetadata metadata) {
        String balanced = metadata.properties().get(SnapshotSummary.BALANCE_SNAPSHOT);
        for (Snapshot at = main(target, metadata); at != null; at = parentOf(metadata, at)) {
            Optional<Balance> own = SnapshotSummary.balance(at.summary());
            if (own.isPresent()) {
                return own.get();
            }
            if (Long.toString(at.snapshotId()).equals(balanced)) {
                return SnapshotSummary.balance(metadata.properties()).orElseThrow();
            }
        }
        throw foreign(target, "no snapshot of ours is left below main");
    }

    private static @Nullable Snapshot parentOf(TableMetadata metadata, Snapshot snapshot) {
        Long parent = snapshot.parentId();
        return parent == null ? null : metadata.snapshot(parent);
    }

    private static WeirException moved(String target, String reason) {
        return new WeirException(
                ErrorCode.TABLE_MOVED, "Cannot use replicated table " + target + ": " + reason);
    }

    private static WeirException foreign(String target, String reason) {
        return new WeirException(
                ErrorCode.TABLE_FOREIGN_WRITE,
                "Cannot use replicated table " + target + ": " + reason,
                "Find the writer; weir rebuild TABLE makes the table anew.",
                null);
    }
}
