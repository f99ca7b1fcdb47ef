package io.weir.ledger.partition;

import io.weir.core.ledger.Claim;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

/** Which partition of which run. */
public record PartitionKey(RunId runId, PartitionId id) {
    public static PartitionKey of(Partition partition) {
        return new PartitionKey(partition.runId(), partition.id());
    }

    public static PartitionKey of(Claim claim) {
        return new PartitionKey(claim.runId(), claim.partitionId());
    }
}
