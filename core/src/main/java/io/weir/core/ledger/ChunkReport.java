package io.weir.core.ledger;

import io.weir.core.row.Balance;
import io.weir.core.run.Loss;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Says that a file is durable.
 *
 * @param fileName null only for the single chunk of a partition without rows
 * @param losses values changed by declared policies in this chunk
 * @param last whether the partition ends with this chunk
 */
public record ChunkReport(
        int index,
        @Nullable String fileName,
        long bytes,
        Balance balance,
        List<Loss> losses,
        boolean last) {
    public ChunkReport {
        losses = List.copyOf(losses);
    }
}
