package io.weir.source;

import io.weir.core.error.WeirException;

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
    TableInspection inspect(TableSpec spec);

    /**
     * Opens one state of the database, with every reader connected to it and every table locked
     * against being dropped or rewritten.
     *
     * @param readers how many {@link SourceSnapshot#reader} there will be; 0 to plan only
     * @throws WeirException for the first refusal of a table, and for what concerns connections,
     *     locks and the snapshot
     */
    SourceSnapshot openSnapshot(List<TableSpec> tables, int readers);

    @Override
    void close();
}
