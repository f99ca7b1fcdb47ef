package io.weir.source;

import io.weir.core.route.Route;
import io.weir.core.row.Balance;
import io.weir.core.run.Loss;

import java.util.List;

/**
 * What one chunk delivered.
 *
 * @param sourceBytes bytes of the rows on the wire
 * @param balance computed from wire bytes, after policies
 * @param losses columns of which values were changed by their policy; without those with none
 * @param routes each at its number; none if the target is not partitioned
 */
public record ChunkTotals(
        long rows, long sourceBytes, Balance balance, List<Loss> losses, List<RouteTotals> routes) {
    public ChunkTotals {
        losses = List.copyOf(losses);
        routes = List.copyOf(routes);
    }

    /** A chunk whose rows go into one file. */
    public ChunkTotals(long rows, long sourceBytes, Balance balance, List<Loss> losses) {
        this(rows, sourceBytes, balance, losses, List.of());
    }

    /** The part of the chunk that goes into the file of one route. */
    public record RouteTotals(Route route, Balance balance) {}
}
