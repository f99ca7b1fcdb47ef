package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.SourceTable;
import io.weir.source.TableInspection;
import io.weir.table.LakeCatalog;
import io.weir.table.TablePlan;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a load of one job would do: reads the catalogs of both sides and opens a snapshot, but reads
 * no row and changes nothing.
 *
 * @param snapshot null if the table cannot be read
 * @param plan null if the table cannot be read
 * @param statements one for each partition that the load would have now
 */
public record LoadCheck(
        LoadJob job,
        TableInspection inspection,
        @Nullable Snapshot snapshot,
        @Nullable TablePlan plan,
        List<String> statements) {
    public LoadCheck {
        statements = List.copyOf(statements);
    }

    /** The state that a load would read at, had it started now. */
    public record Snapshot(
            SnapshotToken token, @Nullable Position position, Consistency consistency) {}

    /**
     * Looks at both sides.
     *
     * @param businessKey what the load would be for
     * @param workers as many as the load would have
     */
    public static LoadCheck of(
            LoadJob given, String businessKey, Source source, LakeCatalog catalog, int workers) {
        LoadJob job = given.forKey(businessKey);
        TableInspection inspection = source.inspect(job.table());
        SourceTable table = inspection.table();
        if (table == null) {
            return new LoadCheck(job, inspection, null, null, List.of());
        }
        try (SourceSnapshot snapshot = source.openSnapshot(List.of(job.table()), 0)) {
            List<String> statements = new ArrayList<>();
            for (KeyRange range : snapshot.split(
                    job.table(), job.splitOptions(table.estimatedBytes(), workers))) {
                statements.add(snapshot.sql(job.table(), range));
            }
            return new LoadCheck(
                    job,
                    inspection,
                    new Snapshot(
                            snapshot.token(),
                            snapshot.position().orElse(null),
                            snapshot.consistency()),
                    catalog.plan(
                            job.target(), table.columns(), table.primaryKey(), job.partitionBy()),
                    statements);
        }
    }

    /** The first reason why the load would fail before reading. */
    public Optional<WeirException> refusal() {
        if (!inspection.refusals().isEmpty()) {
            return Optional.of(inspection.refusals().get(0).exception());
        }
        if (plan != null && plan.action() == TablePlan.Action.MISMATCH) {
            return Optional.of(new WeirException(
                    ErrorCode.TARGET_SCHEMA_MISMATCH,
                    "Cannot load into "
                            + job.target()
                            + ": "
                            + String.join("; ", plan.differences())));
        }
        return Optional.empty();
    }
}
