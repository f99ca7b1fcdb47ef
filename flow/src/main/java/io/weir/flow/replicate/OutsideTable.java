package io.weir.flow.replicate;

import io.weir.core.route.PartitionBy;
import io.weir.flow.outsidelog.OutsideLog;

/**
 * One table of a job whose changes somebody else writes.
 *
 * @param name of the table in books and change logs
 * @param target {@code namespace.table} in the lake
 * @param partitionBy what a new target is partitioned by
 */
public record OutsideTable(String name, OutsideLog log, String target, PartitionBy partitionBy) {}
