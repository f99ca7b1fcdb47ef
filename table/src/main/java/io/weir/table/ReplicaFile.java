package io.weir.table;

import io.weir.core.row.RowPositions;

/**
 * A live data file of a replicated table.
 *
 * @param deleted positions of rows that are no longer in the table
 */
public record ReplicaFile(FileEntry file, RowPositions deleted) {
    /** Rows that readers see. */
    public long liveRows() {
        return file.rows() - deleted.size();
    }
}
