package io.weir.core.ledger;

import io.weir.core.row.LossPolicy;

import java.util.List;
import java.util.Map;

/**
 * How the table of a run is read, beyond its name: every worker reads it the same way.
 *
 * @param exclude columns that are left out
 * @param policies by column; a column that is not named has {@link LossPolicy#FAIL}
 */
public record ReadOptions(List<String> exclude, Map<String, LossPolicy> policies) {
    /** Every column, and no value changed. */
    public static final ReadOptions NONE = new ReadOptions(List.of(), Map.of());

    public ReadOptions {
        exclude = List.copyOf(exclude);
        policies = Map.copyOf(policies);
    }
}
