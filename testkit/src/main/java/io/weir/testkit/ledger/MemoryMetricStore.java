package io.weir.testkit.ledger;

import io.weir.core.metric.Metric;
import io.weir.core.metric.Stage;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.metric.MetricColumns;
import io.weir.ledger.metric.MetricStore;
import io.weir.testkit.ledger.MemoryTables.MetricKey;

import java.util.ArrayList;
import java.util.List;

/** The table of metrics in memory. */
public class MemoryMetricStore implements MetricStore {
    private static final List<Stage> STAGES = List.of(Stage.SOURCE, Stage.STAGING, Stage.TARGET);

    private final MemoryTables tables;

    public MemoryMetricStore(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public List<RowChange> upsertAll(RunId runId, List<Metric> metrics) {
        List<RowChange> changes = new ArrayList<>();
        for (Metric metric : metrics) {
            tables.checks.require("metric_of_run", tables.runs.has(runId));
            tables.checks.metric(metric);
            MetricKey key = new MetricKey(
                    STAGES.indexOf(metric.stage()),
                    !metric.subject().equals(Metric.RUN),
                    metric.subject(),
                    metric.name().toString());
            tables.shelf(runId).metrics.put(key, metric);
            tables.touched.add(runId);
            changes.add(MetricColumns.written(runId, metric));
        }
        return changes;
    }

    @Override
    public List<Metric> ofRun(RunId runId) {
        return tables.metricsOf(runId);
    }
}
