package io.weir.source;

import io.weir.core.route.PartitionKey;
import io.weir.core.row.LossPolicy;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * Which table is read, and how.
 *
 * @param table the name as the database writes it, such as {@code public.orders} or {@code "My
 *     Schema"."T"}; parts without quotes are folded as the database folds them
 * @param exclude exact names of columns that are left out
 * @param policies by exact column name; a column that is not named has {@link LossPolicy#FAIL}
 * @param key only the rows that it names are planned, measured and read; null: every row
 */
public record TableSpec(
        String table,
        List<String> exclude,
        Map<String, LossPolicy> policies,
        @Nullable PartitionKey key) {
    public TableSpec {
        exclude = List.copyOf(exclude);
        policies = Map.copyOf(policies);
    }

    /** Every row of a table. */
    public TableSpec(String table, List<String> exclude, Map<String, LossPolicy> policies) {
        this(table, exclude, policies, null);
    }

    /** The same table, only the rows that a key names. */
    public TableSpec keyed(PartitionKey rows) {
        return new TableSpec(table, exclude, policies, rows);
    }

    /** Every column of a table, and no value changed. */
    public static TableSpec of(String table) {
        return new TableSpec(table, List.of(), Map.of());
    }
}
