package io.weir.source;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What the catalog says about a table before anything is read.
 *
 * @param table null if there are refusals
 * @param refusals every reason against reading, not only the first
 * @param relationKind {@code table}, {@code partitioned table}, {@code view} …; {@code none} if it
 *     does not exist
 * @param unsupported the columns whose type is not read, each also a refusal
 * @param snapshotKind the kind of {@link io.weir.core.run.SnapshotToken} that would be had
 * @param splitKind the kind of bound that partitions would have; {@code none}: one partition
 * @param privileges what reading needs, each with {@code granted} or {@code missing}
 * @param notes what a person should know although it is no reason against reading
 */
public record TableInspection(
        @Nullable SourceTable table,
        List<Refusal> refusals,
        String relationKind,
        List<UnsupportedColumn> unsupported,
        long estimatedRows,
        long estimatedBytes,
        String snapshotKind,
        String splitKind,
        List<String> privileges,
        RowSecurity rowSecurity,
        ServerFacts server,
        List<String> notes) {
    /** The {@link #splitKind()} of a table that is read as one partition. */
    public static final String NO_SPLIT = "none";

    public TableInspection {
        refusals = List.copyOf(refusals);
        unsupported = List.copyOf(unsupported);
        privileges = List.copyOf(privileges);
        notes = List.copyOf(notes);
    }

    public boolean isSplitPossible() {
        return !splitKind.equals(NO_SPLIT);
    }

    /**
     * The table, or the first refusal as an exception.
     *
     * @throws io.weir.core.error.WeirException if there is a refusal
     */
    public SourceTable tableOrThrow() {
        if (table == null) {
            throw refusals.get(0).exception();
        }
        return table;
    }
}
