package io.weir.core.ledger;

import io.weir.core.metric.Measure;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What a run has to read: the state of the source, the split plan and the expectation at that
 * state.
 *
 * @param sourceCount rows at the snapshot; what the partitions must add up to
 * @param columns names of the columns to read, in order
 * @param reading what every worker needs to read the columns the same way
 * @param expectation what STAGING and TARGET must measure again; every name is required there
 * @param parts in split order: the first range open below, the last open above
 */
public record Manifest(
        SnapshotToken snapshot,
        @Nullable Position position,
        Consistency consistency,
        long sourceCount,
        List<String> columns,
        List<String> keyColumns,
        ReadOptions reading,
        List<Measure> expectation,
        List<Part> parts) {
    public Manifest {
        columns = List.copyOf(columns);
        keyColumns = List.copyOf(keyColumns);
        expectation = List.copyOf(expectation);
        parts = List.copyOf(parts);
    }

    /**
     * One partition.
     *
     * @param expectedRows null where the split does not know
     */
    public record Part(
            PartitionId id, KeyRange range, @Nullable Long expectedRows) {}
}
