package io.weir.core.ledger;

import io.weir.core.run.ChunkFile;
import io.weir.core.run.KeyRange;
import io.weir.core.run.SnapshotToken;

import java.time.Duration;
import java.util.List;

/**
 * The authoritative order for one claimed partition; a worker reads this and nothing else.
 *
 * @param lease the claim counts as lost this long after the last sign of the worker
 * @param snapshot token of a live holder if there is one, else that of the manifest
 * @param path where the worker puts its files, ending in a slash
 */
public record WorkOrder(
        Claim claim,
        Duration lease,
        String sourceTable,
        SnapshotToken snapshot,
        KeyRange range,
        List<String> columns,
        ReadOptions reading,
        String path) {
    public WorkOrder {
        columns = List.copyOf(columns);
    }

    /** The full location where the file of a chunk belongs. */
    public String file(int index) {
        return path + ChunkFile.name(claim.partitionId(), index);
    }
}
