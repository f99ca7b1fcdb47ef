package io.weir.core.explain;

import io.weir.core.ledger.RunDetail;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.WorkerSign;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * All that an explanation is made from. Its time is that of the detail.
 *
 * @param workers every process that claims partitions, delivers dispatches and sweeps, live or not;
 *     the ledger keeps the signs of the last hour
 * @param blocking attempt of another run at the same target that is OPEN or UNKNOWN; null if none
 */
public record Situation(
        RunDetail detail,
        List<WorkerSign> workers,
        @Nullable PublishAttempt blocking,
        ExplainSettings settings) {
    public Situation {
        workers = List.copyOf(workers);
    }
}
