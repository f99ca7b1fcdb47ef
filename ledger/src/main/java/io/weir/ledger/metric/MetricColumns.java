package io.weir.ledger.metric;

import io.weir.core.metric.Metric;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;

/** A metric as columns, for its table and its events. */
public final class MetricColumns {
    private MetricColumns() {}

    public static Columns of(RunId runId, Metric metric) {
        return new Columns()
                .set("run_id", runId.value())
                .set("stage", metric.stage().name())
                .set("subject", metric.subject())
                .set("name", metric.name().toString())
                .set("expected", metric.expected())
                .set("actual", metric.actual())
                .set("verdict", metric.verdict().name());
    }

    /** What a row adds to its event, new or not: a metric is written as a whole. */
    public static RowChange written(RunId runId, Metric metric) {
        return new RowChange(name(metric), of(runId, metric).difference(null));
    }

    private static String name(Metric metric) {
        return "metric/" + metric.stage() + "/" + metric.subject() + "/" + metric.name();
    }
}
