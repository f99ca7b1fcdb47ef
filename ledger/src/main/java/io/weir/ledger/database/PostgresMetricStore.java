package io.weir.ledger.database;

import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.metric.MetricColumns;
import io.weir.ledger.metric.MetricStore;

import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements on the table of metrics. */
final class PostgresMetricStore implements MetricStore {
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

    PostgresMetricStore(Handle handle) {
        this.handle = handle;
    }

    @Override
    public List<RowChange> upsertAll(RunId runId, List<Metric> metrics) {
        List<RowChange> changes = new ArrayList<>();
        if (metrics.isEmpty()) {
            return changes;
        }
        try (PreparedBatch batch = handle.prepareBatch(UPSERT)) {
            for (Metric metric : metrics) {
                batch.bindMap(MetricColumns.of(runId, metric).bindings()).add();
                changes.add(MetricColumns.written(runId, metric));
            }
            batch.execute();
        }
        return changes;
    }

    @Override
    public List<Metric> ofRun(RunId runId) {
        return handle.createQuery(OF_RUN)
                .bind("run_id", runId.value())
                .map((rows, context) -> read(rows))
                .list();
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
