package io.weir.core.ledger;

import io.weir.core.metric.Metric;
import io.weir.core.run.RunState;

import java.util.List;

/**
 * The ledger's answer to a set of measurements.
 *
 * @param passed whether every required metric is present and equal
 * @param reasons why not, one line each
 * @param failures the metrics that differ
 */
public record Judgement(
        boolean passed, RunState runState, List<String> reasons, List<Metric> failures) {
    public Judgement {
        reasons = List.copyOf(reasons);
        failures = List.copyOf(failures);
    }
}
