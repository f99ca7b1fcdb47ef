package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.jspecify.annotations.Nullable;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A change log: an append-only table of the changes of one table. Its position is committed with
 * the changes, in the same snapshot. Only the last claim may append, and only behind the position
 * that it knows. Safe for use by several threads; holds no state of the table.
 *
 * <p>All calls throw {@link WeirException} as those of {@link LakeTable} do.
 */
public final class LogTable {
    private static final String PLACE = "weir.log.place";
    private static final String POSITION = "weir.log.position";
    private static final String EPOCH = "weir.log.epoch";

    private final TableHandle handle;
    private final RowSchema schema;
    private final RowSchema rows;
    private final String location;

    LogTable(TableHandle handle, RowSchema schema, RowSchema rows, String location) {
        this.handle = handle;
        this.schema = schema;
        this.rows = rows;
        this.location = location;
    }

    /** Name of the table, {@code namespace.table}. */
    public String target() {
        return handle.target();
    }

    /** The columns of the log itself, as {@link LogColumn} orders them. */
    public RowSchema schema() {
        return schema;
    }

    /** The columns of the images, under the field ids that their digests are computed with. */
    public RowSchema rows() {
        return rows;
    }

    /**
     * Up to where the log holds every change.
     *
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} if no snapshot says so although
     *     there are changes
     */
    public LogPosition position() {
        return handle.call("read", () -> position(handle.metadata()));
    }

    /**
     * Becomes the only writer.
     *
     * @return an epoch; what writers of lower ones send from now on is refused
     */
    public long claim() {
        return handle.call(
                "claim",
                () -> handle.commit(operations -> {
                    long epoch = epoch(operations.current()) + 1;
                    operations
                            .table()
                            .updateProperties()
                            .set(EPOCH, Long.toString(epoch))
                            .commit();
                    return epoch;
                }));
    }

    /**
     * Where the writer of an epoch puts the file that ends at a place; each has a name of its own.
     */
    public String fileLocation(long epoch, long place) {
        return location + "/data/epoch=" + epoch + "/" + HexFormat.of().toHexDigits(place)
                + ".parquet";
    }

    /**
     * Appends changes and moves the position, in one commit. The same call again, because the
     * answer to the first was lost, finds what it did.
     *
     * @param from the position that the log has
     * @param to the position that it has afterwards; the file holds every change in between
     * @return id of the snapshot
     * @throws WeirException {@link ErrorCode#TABLE_MOVED} if another writer claimed the log or its
     *     position is another one; {@link ErrorCode#TABLE_COMMIT_UNKNOWN} if nobody can tell
     *     whether it happened: then a new writer asks {@link #position}
     */
    public long append(long epoch, LogPosition from, LogPosition to, StagedFile file) {
        if (to.place() <= from.place()) {
            throw new IllegalArgumentException("Not behind " + from + ": " + to);
        }
        return handle.call(
                "append to",
                () -> handle.commit(operations -> append(operations, epoch, from, to, file)));
    }

    private long append(
            PinnedOperations operations,
            long epoch,
            LogPosition from,
            LogPosition to,
            StagedFile file) {
        TableMetadata metadata = operations.current();
        long current = epoch(metadata);
        if (current != epoch) {
            throw moved("another process writes it (epoch=" + epoch + ", claimed=" + current + ")");
        }
        LogPosition found = position(metadata);
        if (found.equals(to)) {
            return metadata.currentSnapshot().snapshotId();
        }
        if (!found.equals(from)) {
            throw moved("it is at another position (expected=" + from.text() + ", found="
                    + found.text() + ")");
        }
        Transaction transaction = operations.table().newTransaction();
        SnapshotLimit.apply(metadata, transaction::expireSnapshots);
        AppendFiles append = transaction.newAppend().scanManifestsWith(CallerExecutor.INSTANCE);
        append.appendFile(Staging.dataFile(file, transaction.table().spec()));
        append.set(PLACE, Long.toString(to.place()));
        append.set(POSITION, to.text());
        append.set(EPOCH, Long.toString(epoch));
        append.commit();
        transaction.commitTransaction();
        return operations.table().currentSnapshot().snapshotId();
    }

    /** Every live file of the log. */
    public List<FileEntry> files() {
        return files(Long.MIN_VALUE);
    }

    /**
     * The live files of the log but those of which its snapshots tell that all their changes are at
     * a place or before it.
     */
    public List<FileEntry> files(long from) {
        return handle.call("read", () -> {
            PinnedOperations look = handle.look();
            Snapshot main = look.current().currentSnapshot();
            return main == null
                    ? List.of()
                    : SnapshotFiles.live(
                            handle.manifests(), look.table(), main, firstBehind(look, main, from));
        });
    }

    /** The sequence number of the first snapshot with changes behind a place; 0 if none tells. */
    private static long firstBehind(PinnedOperations look, Snapshot main, long from) {
        long first = main.sequenceNumber() + 1;
        for (Snapshot at = main; at != null; ) {
            String place = at.summary().get(PLACE);
            if (place != null && Long.parseLong(place) <= from) {
                return first;
            }
            first = at.sequenceNumber();
            Long parent = at.parentId();
            at = parent == null ? null : look.current().snapshot(parent);
        }
        return 0;
    }

    /** What the newest snapshot that says it says; a compaction by others says nothing. */
    private LogPosition position(TableMetadata metadata) {
        Snapshot at = metadata.currentSnapshot();
        while (at != null) {
            Map<String, String> summary = at.summary();
            String place = summary.get(PLACE);
            if (place != null) {
                return new LogPosition(Long.parseLong(place), summary.getOrDefault(POSITION, ""));
            }
            Long parent = at.parentId();
            if (parent == null) {
                return LogPosition.NONE;
            }
            at = parentOf(metadata, parent);
        }
        return LogPosition.NONE;
    }

    private Snapshot parentOf(TableMetadata metadata, long parent) {
        @Nullable Snapshot found = metadata.snapshot(parent);
        if (found == null) {
            throw new WeirException(
                    ErrorCode.TABLE_FOREIGN_WRITE,
                    "Cannot read change log " + target() + ": the snapshot that holds its position"
                            + " was expired by another writer (snapshot=" + parent + ")",
                    "Load the table anew with a new slot and a new change log.",
                    null);
        }
        return found;
    }

    private static long epoch(TableMetadata metadata) {
        return SnapshotSummary.number(metadata.properties().get(EPOCH));
    }

    private WeirException moved(String reason) {
        return new WeirException(
                ErrorCode.TABLE_MOVED,
                "Cannot append to change log " + target() + ": " + reason,
                "Stop this process; the other one goes on.",
                null);
    }

    /** The struct that holds an image. */
    public Column image(LogColumn column) {
        return schema.column(column.text());
    }
}
