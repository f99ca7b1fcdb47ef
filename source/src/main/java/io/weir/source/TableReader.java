package io.weir.source;

import io.weir.core.row.RowSchema;
import io.weir.core.run.KeyRange;

/** One connection at the state of a snapshot; reads one partition at a time. */
public interface TableReader {
    /**
     * Starts to read a range.
     *
     * @param table the {@link TableSpec#table()} of a table that the snapshot was opened for
     * @param schema what is read, in the order of the Arrow fields, with the field ids of the table
     */
    PartitionRows read(String table, RowSchema schema, KeyRange range);
}
