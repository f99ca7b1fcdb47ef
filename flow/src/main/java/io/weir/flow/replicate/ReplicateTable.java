package io.weir.flow.replicate;

import io.weir.core.route.PartitionBy;
import io.weir.source.TableSpec;

/**
 * One table of a job.
 *
 * @param spec of the source, without policies
 * @param target {@code namespace.table} in the lake
 * @param partitionBy what a new target is partitioned by
 */
public record ReplicateTable(TableSpec spec, String target, PartitionBy partitionBy) {}
