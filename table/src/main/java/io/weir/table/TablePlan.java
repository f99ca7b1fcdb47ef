package io.weir.table;

import io.weir.core.route.PartitionBy;

import java.util.List;

/**
 * What preparing a table would do.
 *
 * @param location of the table, existing or planned
 * @param partitionBy what the table is or would be partitioned by
 * @param differences why the existing table cannot take the rows, each reason; empty unless
 *     MISMATCH
 */
public record TablePlan(
        Action action, String location, PartitionBy partitionBy, List<String> differences) {
    public TablePlan {
        differences = List.copyOf(differences);
    }

    /** The three answers. */
    public enum Action {
        /** There is no such table; it would be created. */
        CREATE,
        /** The table exists and takes the rows as they are. */
        MATCH,
        /** The table exists and must not be loaded into. */
        MISMATCH
    }
}
