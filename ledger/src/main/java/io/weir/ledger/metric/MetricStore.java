package io.weir.ledger.metric;

import io.weir.core.metric.Metric;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;

import java.util.List;

/** The table of metrics inside one transaction. */
public interface MetricStore {
    /**
     * Adds metrics or replaces those of the same stage, subject and name; the caller holds the
     * lock of the run.
     */
    List<RowChange> upsertAll(RunId runId, List<Metric> metrics);

    /** Source first, whole run before files, then by subject and name; without locks. */
    List<Metric> ofRun(RunId runId);
}
