package io.weir.ledger.partition;

import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import java.util.List;

/**
 * Which partition a call is about, and which of its chunks.
 *
 * @param epoch of the claim that calls; 0 for a call that claims
 * @param indexes of the chunks that it reports
 */
public record PartitionCall(RunId runId, PartitionId id, long epoch, List<Integer> indexes) {
    public PartitionCall {
        indexes = List.copyOf(indexes);
    }

    public PartitionKey key() {
        return new PartitionKey(runId, id);
    }
}
