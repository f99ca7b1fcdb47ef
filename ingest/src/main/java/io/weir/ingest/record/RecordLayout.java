package io.weir.ingest.record;

import io.weir.core.route.PartitionBy;
import io.weir.core.route.PartitionField;
import io.weir.core.route.PartitionTransform;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import java.util.ArrayList;
import java.util.List;

/**
 * What a record holds: the columns of the table in its order, without those that the table is
 * partitioned by as they are; these come last, in the order of the partitions, or not at all if all
 * rows of the connection have the same.
 *
 * @param schema of the table
 * @param slots of the columns that a record holds, in the order in which it does
 * @param partitions how many of these, at the end, are partition columns
 */
public record RecordLayout(RowSchema schema, List<Integer> slots, int partitions) {
    public RecordLayout {
        slots = List.copyOf(slots);
    }

    /** The layout of a table. */
    public static RecordLayout of(RowSchema schema, PartitionBy partitionBy, boolean isStatic) {
        List<Integer> partitions = partitionSlots(schema, partitionBy);
        List<Integer> slots = new ArrayList<>();
        for (int slot = 0; slot < schema.columns().size(); slot++) {
            if (!partitions.contains(slot)) {
                slots.add(slot);
            }
        }
        if (isStatic) {
            return new RecordLayout(schema, slots, 0);
        }
        slots.addAll(partitions);
        return new RecordLayout(schema, slots, partitions.size());
    }

    /** Slots of the columns whose values are partitions themselves, in the order of partitions. */
    public static List<Integer> partitionSlots(RowSchema schema, PartitionBy partitionBy) {
        List<Integer> slots = new ArrayList<>();
        for (PartitionField field : partitionBy.fields()) {
            if (field.transform() == PartitionTransform.IDENTITY) {
                slots.add(schema.columns().indexOf(schema.column(field.column())));
            }
        }
        return slots;
    }

    public Column column(int position) {
        return schema.columns().get(slots.get(position));
    }

    /** Whether an empty value at this position means the partition of NULL. */
    public boolean isPartition(int position) {
        return position >= slots.size() - partitions;
    }
}
