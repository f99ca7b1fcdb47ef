package io.weir.table;

import io.weir.core.route.Route;

/**
 * A data file as a snapshot lists it.
 *
 * @param path full location
 * @param route that all its rows should have, as the table says; {@link Route#NONE} where the file
 *     was written when the table was partitioned otherwise
 */
public record FileEntry(String path, long rows, long bytes, Route route) {
    /** A file of a table that is not partitioned. */
    public FileEntry(String path, long rows, long bytes) {
        this(path, rows, bytes, Route.NONE);
    }
}
