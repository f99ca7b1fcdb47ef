package io.weir.source;

import io.weir.core.row.LossPolicy;

import java.util.List;
import java.util.Map;

/**
 * Which table is read, and how.
 *
 * @param table the name as the database writes it, such as {@code public.orders} or {@code "My
 *     Schema"."T"}; parts without quotes are folded as the database folds them
 * @param exclude exact names of columns that are left out
 * @param policies by exact column name; a column that is not named has {@link LossPolicy#FAIL}
 */
public record TableSpec(String table, List<String> exclude, Map<String, LossPolicy> policies) {
    public TableSpec {
        exclude = List.copyOf(exclude);
        policies = Map.copyOf(policies);
    }

    /** Every column of a table, and no value changed. */
    public static TableSpec of(String table) {
        return new TableSpec(table, List.of(), Map.of());
    }
}
