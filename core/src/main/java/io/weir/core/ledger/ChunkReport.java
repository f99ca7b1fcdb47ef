package io.weir.core.ledger;

import io.weir.core.row.Balance;
import io.weir.core.run.Loss;

import java.util.List;

/**
 * Says that a file is durable, under the {@linkplain WorkOrder#file location} of its chunk.
 *
 * @param index 0, 1, … within the claim
 * @param bytes of the file; 0 only for the single chunk of a partition without rows, which has none
 * @param losses values changed by declared policies in this chunk
 * @param last whether the partition ends with this chunk
 */
public record ChunkReport(int index, long bytes, Balance balance, List<Loss> losses, boolean last) {
    public ChunkReport {
        losses = List.copyOf(losses);
    }
}
