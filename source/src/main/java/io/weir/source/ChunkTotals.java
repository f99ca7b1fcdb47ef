package io.weir.source;

import io.weir.core.row.Balance;
import io.weir.core.run.Loss;

import java.util.List;

/**
 * What one chunk delivered.
 *
 * @param sourceBytes bytes of the rows on the wire
 * @param balance computed from wire bytes, after policies
 * @param losses columns of which values were changed by their policy; without those with none
 */
public record ChunkTotals(long rows, long sourceBytes, Balance balance, List<Loss> losses) {
    public ChunkTotals {
        losses = List.copyOf(losses);
    }
}
