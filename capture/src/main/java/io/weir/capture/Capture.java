package io.weir.capture;

import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.core.run.Position;
import io.weir.source.Refusal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A database whose changes can be read. Each call opens its own connections. */
public interface Capture {
    /**
     * Every reason against reading the changes, each with the statement that mends it. To be asked
     * before a stream is opened and again while it is read: settings of the source may change.
     *
     * @param spec the slot counts as busy if anybody reads it, unless a stream of this object does
     * @throws io.weir.core.error.WeirException only for what concerns the connection
     */
    default List<Refusal> check(CaptureSpec spec) {
        return check(spec, Map.of()).refusals();
    }

    /**
     * The same for tables whose rows are known already: a column that is another one now, or that
     * was written anew, may have other values in every row, and no change tells them.
     *
     * @param known by qualified name, the columns that the rows come from; those that the source
     *     no longer has are left to the stream
     */
    CaptureCheck check(CaptureSpec spec, Map<String, RowSchema> known);

    /**
     * Creates the slot; every change committed after the answer will be in the stream.
     *
     * @return where the slot begins
     * @throws io.weir.core.error.WeirException for the first refusal that is not about the slot;
     *     {@code CAPTURE_SLOT_BUSY} if there is one of this name
     */
    Position createSlot(CaptureSpec spec);

    /**
     * Creates the slot and keeps the state of the database at which it begins.
     *
     * @throws io.weir.core.error.WeirException as {@link #createSlot}
     */
    SlotSnapshot handOver(CaptureSpec spec);

    /**
     * Keeps a state of the database of which the place in the log is known exactly, without a slot
     * that stays: for a table that is loaded beside a stream that is there.
     *
     * @throws io.weir.core.error.WeirException as {@link #createSlot}, not for a slot that exists
     */
    SlotSnapshot snapshot(CaptureSpec spec);

    /**
     * What rows hold that are older than their columns and were not written since: no change told
     * of these values.
     *
     * @param table qualified name
     * @param columns of it as they are now
     * @return by name, for columns that have or had a default: the value in Iceberg's internal
     *     form, empty if the rows have different ones or nobody can tell any more. Columns that are
     *     not named have NULL in such rows
     */
    Map<String, Optional<Object>> initialValues(String table, List<Column> columns);

    /** Gives up the slot and what the source keeps for it; nothing happens if there is none. */
    void dropSlot(CaptureSpec spec);

    /** Whether the source has a slot of this name. */
    boolean hasSlot(CaptureSpec spec);

    /**
     * Where the stream of the slot begins now.
     *
     * @return a place as {@link StreamEvent.Commit#place} counts
     * @throws io.weir.core.error.WeirException {@code CAPTURE_SLOT_MISSING}
     */
    long slotPlace(CaptureSpec spec);

    /**
     * Commits a transaction without changes at the source. Everything that was committed before the
     * call comes out of the stream before the first commit behind the mark; and a slot that is
     * confirmed there keeps nothing older, also if the tables are silent and others are not.
     *
     * @return a place as {@link StreamEvent.Commit#place} counts
     */
    long mark();

    /**
     * Starts to read from where the slot was confirmed last.
     *
     * @param schemas by qualified name, as {@link io.weir.source.SourceTable#qualifiedName} has it:
     *     the columns of each table under the field ids that digests are computed with. The first
     *     change of a table that has other columns by then ends the stream
     * @throws io.weir.core.error.WeirException for the first refusal
     */
    default ChangeStream open(CaptureSpec spec, Map<String, RowSchema> schemas) {
        return open(spec, schemas, Map.of(), Map.of());
    }

    /**
     * The same behind changes that nobody needs any more.
     *
     * @param floors by qualified name, a place at which the table had these columns already: a
     *     transaction before it may have changes with others, which are left out
     * @param added by qualified name, columns that the first transaction of the table behind its
     *     floor added: what it changed before it did has their initial defaults in them
     */
    ChangeStream open(
            CaptureSpec spec,
            Map<String, RowSchema> schemas,
            Map<String, Long> floors,
            Map<String, Set<String>> added);
}
