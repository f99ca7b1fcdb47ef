package io.weir.ledger.metric;

import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;
import io.weir.ledger.sql.Fields;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements on the table of metrics. */
public final class MetricStore {
    static final String UPSERT = """
            insert into weir.metric (run_id, stage, subject, name, expected, actual, verdict)
            values (:run_id, :stage, :subject, :name, :expected, :actual, :verdict)
            on conflict on constraint metric_pk do update
            set expected = excluded.expected,
                actual = excluded.actual,
                verdict = excluded.verdict
            """;

    static final String OF_RUN = """
            select stage, subject, name, expected, actual, verdict
            from weir.metric
            where run_id = :run_id
            order by array_position(array['SOURCE', 'STAGING', 'TARGET'], stage),
                subject = 'run' desc, subject, name
            """;

    private final Handle handle;

    public MetricStore(Handle handle) {
        this.handle = handle;
    }

    public List<RowChange> upsertAll(RunId runId, List<Metric> metrics) {
        List<RowChange> changes = new ArrayList<>();
        if (metrics.isEmpty()) {
            return changes;
        }
        try (PreparedBatch batch = handle.prepareBatch(UPSERT)) {
            for (Metric metric : metrics) {
                Columns columns = columns(runId, metric);
                batch.bindMap(columns.bindings()).add();
                changes.add(new RowChange(name(metric), columns.difference(null)));
            }
            batch.execute();
        }
        return changes;
    }

    /** Source first, whole run before files. */
    public List<Metric> ofRun(RunId runId) {
        return handle.createQuery(OF_RUN)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
    }

    private static String name(Metric metric) {
        return "metric/" + metric.stage() + "/" + metric.subject() + "/" + metric.name();
    }

    private static Columns columns(RunId runId, Metric metric) {
        return new Columns()
                .set("run_id", runId.value())
                .set("stage", metric.stage().name())
                .set("subject", metric.subject())
                .set("name", metric.name().toString())
                .set("expected", metric.expected())
                .set("actual", metric.actual())
                .set("verdict", metric.verdict().name());
    }

    private static Metric read(ResultSet rows) throws SQLException {
        Fields fields = new Fields(rows);
        return new Metric(
                fields.constant("stage", Stage.class),
                fields.text("subject"),
                MetricName.parse(fields.text("name")),
                fields.textOrNull("expected"),
                fields.textOrNull("actual"),
                fields.constant("verdict", Verdict.class));
    }
}
