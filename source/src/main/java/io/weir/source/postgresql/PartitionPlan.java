package io.weir.source.postgresql;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.core.run.KeyRange;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What is read, and how it arrives.
 *
 * @param types of the columns of the schema, in its order
 * @param rowHash the column that takes the digest of each row; null: none
 */
record PartitionPlan(
        RelationName table,
        RowSchema schema,
        List<WireType> types,
        KeyRange range,
        PartitionBy partitionBy,
        @Nullable Column rowHash) {
    PartitionPlan {
        types = List.copyOf(types);
    }

    int size() {
        return types.size();
    }

    Column column(int index) {
        return schema.columns().get(index);
    }

    WireType[] wireTypes() {
        return types.toArray(WireType[]::new);
    }

    /** Null where the type holds every value. */
    @Nullable
    WireGuard[] guards() {
        @Nullable WireGuard[] guards = new WireGuard[size()];
        for (int i = 0; i < guards.length; i++) {
            guards[i] = WireGuard.of(types.get(i), column(i));
        }
        return guards;
    }
}
