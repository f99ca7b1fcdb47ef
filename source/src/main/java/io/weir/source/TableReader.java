package io.weir.source;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.core.run.KeyRange;

import org.jspecify.annotations.Nullable;

/** One connection at the state of a snapshot; reads one partition at a time. */
public interface TableReader {
    /**
     * Starts to read a range, every row of it.
     *
     * @param table the {@link TableSpec#table()} of a table that the snapshot was opened for
     * @param schema what is read, in the order of the Arrow fields, with the field ids of the table
     */
    default PartitionRows read(String table, RowSchema schema, KeyRange range) {
        return read(TableSpec.of(table), schema, range, PartitionBy.NOTHING);
    }

    /**
     * Starts to read those rows of a range that the spec asks for.
     *
     * @param table one that the snapshot was opened for
     * @param schema what is read, in the order of the Arrow fields, with the field ids of the table
     * @param partitionBy if the target is partitioned, each batch has one more field, the last one:
     *     {@link io.weir.core.route.RowRouter#FIELD}, the number of the route of the row within
     *     {@link ChunkTotals#routes()}
     */
    default PartitionRows read(
            TableSpec table, RowSchema schema, KeyRange range, PartitionBy partitionBy) {
        return read(table, schema, range, partitionBy, null);
    }

    /**
     * The same, each row with its digest.
     *
     * @param rowHash a column of 16 bytes for the digest, which is then the field behind those of
     *     the schema; null: none
     */
    PartitionRows read(
            TableSpec table,
            RowSchema schema,
            KeyRange range,
            PartitionBy partitionBy,
            @Nullable Column rowHash);
}
