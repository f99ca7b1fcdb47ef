package io.weir.ingest.record;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.RowSchema;
import io.weir.ingest.row.RecordException;
import io.weir.ingest.row.Row;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Partition values that all rows of a connection have. */
public final class StaticPartitions {
    private StaticPartitions() {}

    /**
     * Sets them in a row, for every row to come.
     *
     * @param values as texts, in the order of the partitions; null or empty for the partition of
     *     NULL
     * @throws RecordException if there are others than the table has, or one is no value of its
     *     column
     */
    public static void set(
            List<@Nullable String> values, RowSchema schema, PartitionBy partitionBy, Row row)
            throws RecordException {
        List<Integer> slots = RecordLayout.partitionSlots(schema, partitionBy);
        if (slots.size() != values.size()) {
            throw new RecordException("the table has another number of partition columns (values="
                    + values.size() + ", partitions=" + slots.size() + ")");
        }
        for (int i = 0; i < slots.size(); i++) {
            int slot = slots.get(i);
            String value = values.get(i);
            if (value == null || value.isEmpty()) {
                row.setNull(slot);
            } else {
                byte[] text = value.getBytes(StandardCharsets.UTF_8);
                new ValueReader(slot, schema.columns().get(slot)).read(text, 0, text.length, row);
            }
        }
        row.giveToAll();
    }
}
