package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.KeyedRows;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * One table of the lake. Holds no state of it: every call reads the table anew, so that an object
 * made long ago is as good as a fresh one. Safe for use by several threads.
 *
 * <p>All calls throw {@link WeirException}: {@link ErrorCode#CATALOG_UNREACHABLE}, {@link
 * ErrorCode#TARGET_TABLE_NOT_FOUND} if the table was dropped, {@link ErrorCode#TABLE_MOVED} if it
 * was created again, {@link ErrorCode#DISK_FULL}, {@link ErrorCode#FILE_UNREADABLE} for damaged
 * metadata; further codes are named at the call.
 */
public final class LakeTable {
    private final TableHandle handle;
    private final RowSchema schema;
    private final PartitionBy partitionBy;
    private final String location;

    LakeTable(TableHandle handle, RowSchema schema, PartitionBy partitionBy, String location) {
        this.handle = handle;
        this.schema = schema;
        this.partitionBy = partitionBy;
        this.location = location;
    }

    /** Name of the table, {@code namespace.table}. */
    public String target() {
        return handle.target();
    }

    /**
     * The columns under the table's field ids: in the order of the source after {@link
     * LakeCatalog#prepare}, in the order of the table after {@link LakeCatalog#load}.
     */
    public RowSchema schema() {
        return schema;
    }

    /** What the table was partitioned by when this object was made. */
    public PartitionBy partitionBy() {
        return partitionBy;
    }

    /** Location of the directory below which data files live; no slash at its end. */
    public String dataRoot() {
        return location + "/data";
    }

    /** Whether it was made for replication: digests beside the rows, some of which are deleted. */
    public boolean isReplica() {
        return handle.call("read", () -> ReplicaWords.rowHashField(handle.metadata()) > 0);
    }

    /** The snapshot that readers see now. */
    public long currentSnapshotId() {
        return handle.call("read", () -> main(handle.metadata()).snapshotId());
    }

    /**
     * Commits files to the branch of the attempt, taken from its base. Readers see nothing of it.
     * The same call again finds what the first one staged.
     *
     * @param files all files of the run; none for an empty source
     * @param delta the balance of these files
     * @return id of the staged snapshot
     * @throws WeirException {@link ErrorCode#TARGET_SCHEMA_MISMATCH}, {@link
     *     ErrorCode#TABLE_FOREIGN_WRITE} if rows are appended to a base of unknown balance, {@link
     *     ErrorCode#TABLE_MOVED} if the base is gone or the branch holds something else, {@link
     *     ErrorCode#VALIDATION_FAILED} if files and balance disagree or a file lies elsewhere
     */
    public long stage(
            PublishAttempt attempt, PublishMode mode, List<StagedFile> files, Balance delta) {
        return stage(attempt, mode, files, delta, null);
    }

    /**
     * The same; with {@link PublishMode#REPLACE_PARTITIONS} the files take the place of others.
     *
     * @param removal what makes room; null with the other modes
     * @throws WeirException also {@link ErrorCode#TABLE_MOVED} if the removal does not list exactly
     *     the files that the base has there, {@link ErrorCode#VALIDATION_FAILED} if a file of the
     *     run belongs elsewhere, {@link ErrorCode#TABLE_FOREIGN_WRITE} if the balance of the base
     *     is unknown
     */
    public long stage(
            PublishAttempt attempt,
            PublishMode mode,
            List<StagedFile> files,
            Balance delta,
            @Nullable Removal removal) {
        Staging staging = new Staging(
                handle,
                schema.columns(),
                partitionBy,
                attempt,
                mode,
                List.copyOf(files),
                delta,
                removal);
        return handle.call(
                "stage on", () -> handle.commit(look -> staging.stage(NextSchema.toLoad(look))));
    }

    /**
     * Every live data file of a snapshot, from its manifests.
     *
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} if rows were deleted by position,
     *     {@link ErrorCode#TABLE_MOVED} if the snapshot does not exist
     */
    public List<FileEntry> filesOf(long snapshotId) {
        return list(
                snapshotId, (look, at) -> SnapshotFiles.live(handle.manifests(), look.table(), at));
    }

    /**
     * Those live data files of a snapshot whose rows a business key names.
     *
     * @throws WeirException {@link ErrorCode#TARGET_SCHEMA_MISMATCH} if the table was partitioned
     *     otherwise when a live file was written, {@link ErrorCode#TABLE_FOREIGN_WRITE} if rows
     *     were deleted by position, {@link ErrorCode#TABLE_MOVED} if the snapshot does not exist
     */
    public List<FileEntry> filesOf(long snapshotId, KeyedRows rows) {
        return list(snapshotId, (look, at) -> {
            Table table = look.table();
            return SnapshotFiles.named(handle.manifests(), table, at, rows).stream()
                    .map(file -> SnapshotFiles.entry(table, file))
                    .toList();
        });
    }

    /**
     * The data files that a snapshot removed.
     *
     * @throws WeirException {@link ErrorCode#TABLE_MOVED} if the snapshot does not exist
     */
    public List<FileEntry> removedBy(long snapshotId) {
        return list(snapshotId, (look, at) -> SnapshotFiles.removedBy(look.table(), at));
    }

    /**
     * The data files that a snapshot added.
     *
     * @throws WeirException {@link ErrorCode#TABLE_MOVED} if the snapshot does not exist
     */
    public List<FileEntry> addedBy(long snapshotId) {
        return list(snapshotId, (look, at) -> SnapshotFiles.addedBy(look.table(), at));
    }

    /**
     * Moves main to the staged snapshot by one commit, sent once. Any change of the table between
     * reading it and the commit refuses the commit.
     *
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} if rows are appended to a base of
     *     unknown balance; as all errors, before anything was sent
     */
    public Published publish(PublishAttempt attempt, PublishMode mode) {
        return handle.call("publish to", () -> new Publishing(handle, attempt).publish(mode));
    }

    /**
     * Makes sure that neither this attempt nor an older one can be published from now on: an empty
     * snapshot on main. Does nothing if the attempt is published or fenced already.
     */
    public void fence(PublishAttempt attempt) {
        handle.call("fence", () -> {
            new Publishing(handle, attempt).fence();
            return true;
        });
    }

    /** Looks whether the attempt is published; after {@link #fence} the answer is final. */
    public Evidence read(PublishAttempt attempt) {
        return handle.call("read", () -> PublishEvidence.of(handle.metadata(), attempt));
    }

    /**
     * The absolute balance of what readers see.
     *
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} if another writer may have
     *     changed rows
     */
    public Balance balance() {
        return handle.call("read", () -> {
            TableMetadata metadata = handle.metadata();
            return MainBalance.at(target(), metadata, main(metadata).snapshotId());
        });
    }

    /**
     * The absolute balance of a snapshot.
     *
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} if another writer may have
     *     changed rows, {@link ErrorCode#TABLE_MOVED} if the snapshot does not exist
     */
    public Balance balanceOf(long snapshotId) {
        return at(
                "read",
                snapshotId,
                (look, at) -> MainBalance.at(target(), look.current(), at.snapshotId()));
    }

    /** What streaming clients committed to what readers see. */
    public Ingested ingested() {
        return handle.call("read", () -> Ingested.of(handle.look()));
    }

    /** Removes the branch of an attempt; its files stay until retention ends. */
    public void discard(PublishAttempt attempt) {
        handle.call("discard a branch of", () -> {
            new Publishing(handle, attempt).discard();
            return true;
        });
    }

    /** Whether the branch of an attempt still exists. */
    public boolean hasBranch(PublishAttempt attempt) {
        return handle.call("read", () -> handle.metadata().ref(attempt.branch()) != null);
    }

    /**
     * Files below a location that no snapshot of the table names, besides what ended attempts
     * staged.
     *
     * @param ended attempts of the run whose location it is
     */
    public LeftFiles leftBelow(String location, List<PublishAttempt> ended) {
        return handle.call("list files of", () -> {
            PinnedOperations look = handle.look();
            TableMetadata metadata = look.current();
            Set<Long> staged = new HashSet<>();
            for (PublishAttempt attempt : ended) {
                Long snapshotId = attempt.stagedSnapshotId();
                if (snapshotId != null && attempt.state() == AttemptState.FAILED) {
                    staged.add(snapshotId);
                }
            }
            List<Snapshot> kept = metadata.snapshots().stream()
                    .filter(snapshot -> !staged.contains(snapshot.snapshotId()))
                    .toList();
            return LeftFiles.below(location, SnapshotFiles.locations(look.table(), kept));
        });
    }

    private List<FileEntry> list(
            long snapshotId, BiFunction<PinnedOperations, Snapshot, List<FileEntry>> files) {
        return at("list the files of", snapshotId, files);
    }

    private <T> T at(String verb, long snapshotId, BiFunction<PinnedOperations, Snapshot, T> read) {
        return handle.call(verb, () -> {
            PinnedOperations look = handle.look();
            Snapshot snapshot = look.current().snapshot(snapshotId);
            if (snapshot == null) {
                throw new WeirException(
                        ErrorCode.TABLE_MOVED,
                        "Cannot " + verb + " table " + target()
                                + ": the snapshot does not exist (snapshot=" + snapshotId + ")");
            }
            return read.apply(look, snapshot);
        });
    }

    private Snapshot main(TableMetadata metadata) {
        Snapshot main = metadata.currentSnapshot();
        if (main == null) {
            throw new WeirException(
                    ErrorCode.TABLE_FOREIGN_WRITE,
                    "Cannot use table " + target() + ": it has no snapshot; another writer made it"
                            + " or reset it");
        }
        return main;
    }
}
