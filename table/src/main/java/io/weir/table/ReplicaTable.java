package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.ManageSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.UpdateSchema;

import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table that is kept equal to one of a source: format v3, each row with its digest in a column of
 * its own, rows taken out by deletion vectors. Holds no state of the table; safe for use by several
 * threads.
 *
 * <p>All calls throw {@link WeirException} as those of {@link LakeTable} do.
 */
public final class ReplicaTable {
    /** Name of the column that holds the digest of its row. */
    public static final String ROW_HASH = "_row_hash";

    private static final String CUT = "weir-cut-";
    private static final Pattern CUT_NAME = Pattern.compile(CUT + "([1-9][0-9]{0,17})");

    private final TableHandle handle;
    private final LakeTable lake;
    private final Column rowHash;

    ReplicaTable(TableHandle handle, LakeTable lake, Column rowHash) {
        this.handle = handle;
        this.lake = lake;
        this.rowHash = rowHash;
    }

    /** Name of the table, {@code namespace.table}. */
    public String target() {
        return handle.target();
    }

    /** The same table, to fence, to look for attempts, to discard. */
    public LakeTable lake() {
        return lake;
    }

    /** The columns of the source, under the field ids that digests are computed with. */
    public RowSchema rows() {
        return lake.schema();
    }

    /** The column that holds the digest; of no row's digest itself. */
    public Column rowHash() {
        return rowHash;
    }

    /**
     * What the table says of itself now.
     *
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} if another writer may have
     *     changed rows
     */
    public ReplicaState state() {
        return handle.call("read", () -> ReplicaBooks.state(target(), handle.metadata()));
    }

    /**
     * Says which changes are in the rows that readers see, after they were loaded. Changes no row.
     *
     * @param position up to which every change is in the rows
     * @param exact whether no later change is in them
     */
    public void begin(LogPosition position, boolean exact) {
        handle.call(
                "begin to replicate into",
                () -> handle.commit(operations -> {
                    Snapshot main = ReplicaBooks.main(target(), operations.current());
                    UpdateProperties properties = operations.table().updateProperties();
                    ReplicaWords.enter(properties, main.snapshotId(), position, exact);
                    ReplicaWords.enterFirst(properties, main.snapshotId(), position, exact);
                    if (exact) {
                        ReplicaWords.enterVerified(properties, position);
                    }
                    properties.commit();
                    return true;
                }));
    }

    /**
     * Lets a table whose rows are not to be trusted begin anew: its next window tells every row,
     * and takes away those that are there. Changes no row.
     *
     * @param snapshotId what readers see
     * @param position behind which the changes of that window begin
     * @param measured balance of the rows that are there, whoever wrote them
     * @throws WeirException {@link ErrorCode#TABLE_MOVED} if main is another snapshot
     */
    public void beginAnew(long snapshotId, LogPosition position, Balance measured) {
        handle.call(
                "begin anew with",
                () -> handle.commit(operations -> {
                    Snapshot main = ReplicaBooks.main(target(), operations.current());
                    if (main.snapshotId() != snapshotId) {
                        throw new WeirException(
                                ErrorCode.TABLE_MOVED,
                                "Cannot begin anew with table " + target()
                                        + ": main is another snapshot (measured=" + snapshotId
                                        + ", main=" + main.snapshotId() + ")");
                    }
                    UpdateProperties properties = operations.table().updateProperties();
                    SnapshotSummary.enter(properties, measured, snapshotId);
                    ReplicaWords.enter(properties, snapshotId, position, true);
                    ReplicaWords.enterFirst(properties, snapshotId, position, true);
                    ReplicaWords.enterVerified(properties, position);
                    properties.commit();
                    return true;
                }));
    }

    /**
     * Adds columns that have their initial default in every row; digests of rows stay what they
     * are. Columns that are there are left alone.
     *
     * @param columns of the source; their field ids do not count. One that is required has an
     *     initial default
     */
    public void addColumns(List<Column> columns) {
        handle.call(
                "add columns to",
                () -> handle.commit(operations -> {
                    TableMetadata metadata = operations.current();
                    List<Column> missing = columns.stream()
                            .filter(column -> metadata.schema().findField(column.name()) == null)
                            .toList();
                    if (missing.isEmpty()) {
                        return false;
                    }
                    Transaction transaction = operations.table().newTransaction();
                    UpdateSchema update = transaction.updateSchema();
                    missing.forEach(column -> TargetSchema.add(update, column));
                    update.commit();
                    UpdateProperties properties = transaction.updateProperties();
                    for (Column column : missing) {
                        int id = transaction
                                .table()
                                .schema()
                                .findField(column.name())
                                .fieldId();
                        properties.set(TargetSchema.SOURCE_TYPE + id, column.sourceType());
                    }
                    TargetSchema.sourceMarks(transaction.table().schema(), missing)
                            .forEach(properties::set);
                    properties.commit();
                    transaction.commitTransaction();
                    return true;
                }));
    }

    /**
     * Announces which columns of the source the rows of the next load come from; known for the
     * table once these are published. For a load that replaces every row.
     *
     * @param columns of the source, those that the table was prepared for
     */
    public void announceSource(List<Column> columns) {
        handle.call(
                "announce the source of",
                () -> handle.commit(look -> NextSchema.announceSources(look, columns)));
    }

    /**
     * Notes what the source says of columns whose values did not change.
     *
     * @param columns of the source; those that the table has not are left alone
     */
    public void mark(List<Column> columns) {
        handle.call(
                "note the source of",
                () -> handle.commit(operations -> {
                    TableMetadata metadata = operations.current();
                    List<Column> there = columns.stream()
                            .filter(column -> metadata.schema().findField(column.name()) != null)
                            .toList();
                    Map<String, String> marks = TargetSchema.sourceMarks(metadata.schema(), there);
                    marks.entrySet().removeAll(metadata.properties().entrySet());
                    if (marks.isEmpty()) {
                        return false;
                    }
                    UpdateProperties properties = operations.table().updateProperties();
                    marks.forEach(properties::set);
                    properties.commit();
                    return true;
                }));
    }

    /**
     * Names a snapshot for readers who want several tables at one place, {@code weir-cut-<number>},
     * and keeps it as long as the name. Nothing is named if the name is taken.
     *
     * @param kept so many of these names stay, those of the highest numbers, at least 1
     */
    public void tagCut(long number, long snapshotId, int kept) {
        handle.call(
                "tag a snapshot of",
                () -> handle.commit(operations -> {
                    NavigableSet<Long> numbers = cuts(operations.current());
                    boolean missing = numbers.add(number);
                    ManageSnapshots manage = operations.table().manageSnapshots();
                    if (missing) {
                        manage.createTag(CUT + number, snapshotId);
                    }
                    boolean changed = missing;
                    while (numbers.size() > Math.max(1, kept)) {
                        manage.removeTag(CUT + numbers.pollFirst());
                        changed = true;
                    }
                    if (changed) {
                        manage.commit();
                    }
                    return changed;
                }));
    }

    private static NavigableSet<Long> cuts(TableMetadata metadata) {
        NavigableSet<Long> numbers = new TreeSet<>();
        metadata.refs().forEach((name, ref) -> {
            Matcher matcher = CUT_NAME.matcher(name);
            if (ref.isTag() && matcher.matches()) {
                numbers.add(Long.valueOf(matcher.group(1)));
            }
        });
        return numbers;
    }

    /** Every live file of a snapshot with its deleted rows. */
    public List<ReplicaFile> filesOf(long snapshotId) {
        return handle.call("list the files of", () -> {
            PinnedOperations look = handle.look();
            Table table = look.table();
            Snapshot snapshot = ReplicaBooks.snapshot(target(), look.current(), snapshotId);
            return DeletedRows.live(handle.manifests(), table, snapshot).values().stream()
                    .map(live -> new ReplicaFile(
                            SnapshotFiles.entry(table, live.file()),
                            DeletedRows.positions(table, live)))
                    .toList();
        });
    }

    /**
     * Commits a delta to the branch of the attempt, taken from its base: one snapshot with files,
     * deletion vectors, closing balance and position. The same call again finds it.
     *
     * @return id of the staged snapshot
     * @throws WeirException {@link ErrorCode#TABLE_MOVED} if the base is gone or no longer at the
     *     position that the delta starts from, {@link ErrorCode#VALIDATION_FAILED} if the rows that
     *     Iceberg then counts are not those of the closing balance
     */
    public long stage(PublishAttempt attempt, ReplicaDelta delta) {
        ReplicaStaging staging = new ReplicaStaging(handle, attempt, delta);
        return handle.call("stage on", () -> handle.commit(staging::stage));
    }

    /**
     * Moves main to the staged snapshot and the table to its position, by one commit, sent once.
     * Merged again on the new main if it answers MOVED: a delta fits its base only.
     */
    public Published publish(PublishAttempt attempt) {
        return lake.publish(attempt, PublishMode.APPEND);
    }

    /**
     * Moves the position over changes that left every row as it was, without a snapshot.
     *
     * @throws WeirException {@link ErrorCode#TABLE_MOVED} if the table is at another position than
     *     {@code from}, or main is another snapshot
     */
    public void pass(long snapshotId, LogPosition from, LogPosition to) {
        handle.call(
                "move the position of",
                () -> handle.commit(operations -> {
                    ReplicaState now = ReplicaBooks.state(target(), operations.current());
                    if (now.merged().equals(to) && now.snapshotId() == snapshotId) {
                        return false;
                    }
                    if (!now.merged().equals(from) || now.snapshotId() != snapshotId) {
                        throw new WeirException(
                                ErrorCode.TABLE_MOVED,
                                "Cannot move the position of table " + target()
                                        + ": it is not where the window begins (expected="
                                        + from.text()
                                        + " at " + snapshotId + ", found="
                                        + now.merged().text() + " at "
                                        + now.snapshotId() + ")");
                    }
                    UpdateProperties properties = operations.table().updateProperties();
                    ReplicaWords.enter(properties, snapshotId, to, true);
                    ReplicaWords.enterVerified(properties, to);
                    properties.commit();
                    return true;
                }));
    }

    /**
     * Makes an earlier snapshot of ours the one that readers see; position and balance go back with
     * it.
     *
     * @return the state afterwards
     * @throws WeirException {@link ErrorCode#TABLE_MOVED} if the snapshot does not exist or is no
     *     ancestor of main, {@link ErrorCode#TABLE_FOREIGN_WRITE} if it is not ours
     */
    public ReplicaState rollback(long snapshotId) {
        return handle.call(
                "roll back",
                () -> handle.commit(operations -> {
                    TableMetadata metadata = operations.current();
                    ReplicaState earlier = ReplicaBooks.earlier(target(), metadata, snapshotId);
                    Transaction transaction = operations.table().newTransaction();
                    transaction.manageSnapshots().rollbackTo(snapshotId).commit();
                    UpdateProperties properties = transaction.updateProperties();
                    SnapshotSummary.enter(properties, earlier.balance(), snapshotId);
                    ReplicaWords.enter(properties, snapshotId, earlier.merged(), earlier.exact());
                    ReplicaWords.enterVerified(properties, earlier.verified());
                    properties.commit();
                    transaction.commitTransaction();
                    return earlier;
                }));
    }

    /**
     * The snapshot that readers see, if another writer put the files of ours together anew and
     * nobody has measured yet whether every row is still there.
     *
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} if another writer did anything
     *     else
     */
    public OptionalLong unmeasured() {
        return handle.call("read", () -> ReplicaBooks.unmeasured(target(), handle.metadata()));
    }

    /**
     * Takes a snapshot on main by another writer for ours: it kept every row.
     *
     * @param measured balance of all live rows of the snapshot, from their own values
     * @throws WeirException {@link ErrorCode#TABLE_FOREIGN_WRITE} unless its operation is {@code
     *     replace} and the balance is that of our last snapshot
     */
    public void accept(long snapshotId, Balance measured) {
        handle.call(
                "accept a snapshot of",
                () -> handle.commit(operations -> {
                    TableMetadata metadata = operations.current();
                    ReplicaBooks.requireKept(target(), metadata, snapshotId, measured);
                    UpdateProperties properties = operations.table().updateProperties();
                    SnapshotSummary.enter(properties, measured, snapshotId);
                    LogPosition merged = ReplicaWords.merged(metadata.properties());
                    ReplicaWords.enter(
                            properties,
                            snapshotId,
                            merged,
                            ReplicaWords.exact(metadata.properties()));
                    properties.commit();
                    return true;
                }));
    }
}
