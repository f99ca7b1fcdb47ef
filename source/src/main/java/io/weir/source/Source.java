package io.weir.source;

import io.weir.core.error.WeirException;
import io.weir.core.run.SnapshotToken;

import java.util.List;

/** A database that rows are read from. Each call opens its own connections. */
public interface Source extends AutoCloseable {
    /**
     * Describes a table and everything that speaks against reading it. Looks only at the catalog;
     * no row of the table is read.
     *
     * @throws WeirException only for what concerns the connection or a lock; what concerns the
     *     table is a {@link Refusal}
     */
    default TableInspection inspect(TableSpec spec) {
        return inspect(List.of(spec)).get(0);
    }

    /** The same of several tables over one connection, in their order. */
    List<TableInspection> inspect(List<TableSpec> specs);

    /**
     * Opens one state of the database, with every reader connected to it and every table locked
     * against being dropped or rewritten.
     *
     * @param readers how many {@link SourceSnapshot#reader} there will be; 0 to plan only
     * @throws WeirException for the first refusal of a table, and for what concerns connections,
     *     locks and the snapshot
     */
    SourceSnapshot openSnapshot(List<TableSpec> tables, int readers);

    /**
     * Opens the state of the database that another snapshot holds, in this process or another one,
     * and holds it too: the joined snapshot has a token of its own, which can be joined after the
     * first holder ended. It has no position: the log has moved on, only the first holder knows it.
     *
     * @param token of a snapshot that is still held
     * @param tables some of those that it is held for: only they are locked without a gap, of
     *     others it is only seen whether they were rewritten
     * @param readers how many {@link SourceSnapshot#reader} there will be; 0 to plan or hold only
     * @throws WeirException as {@link #openSnapshot}; {@code SOURCE_SNAPSHOT_EXPIRED} if nobody
     *     holds the snapshot, or a table was rewritten since; {@code INTERNAL} if the token is of
     *     another kind of source
     */
    SourceSnapshot joinSnapshot(SnapshotToken token, List<TableSpec> tables, int readers);

    @Override
    void close();
}
