package io.weir.ledger.run;

import io.weir.core.run.Consistency;
import io.weir.core.run.Cut;
import io.weir.core.run.Position;
import io.weir.core.run.Run;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;
import io.weir.ledger.sql.LossJson;
import io.weir.ledger.sql.ReadOptionsJson;

/** A run as columns, for its table and its events. */
public final class RunColumns {
    /** The row as the journal names it; events carry the run id beside. */
    private static final String NAME = "run";

    private RunColumns() {}

    public static Columns of(RunRow row) {
        Run run = row.run();
        SnapshotToken snapshot = run.snapshot();
        Position position = run.position();
        Consistency consistency = run.consistency();
        Cut cut = run.cut();
        return new Columns()
                .set("id", run.id().value())
                .set("job", run.job())
                .set("business_key", run.businessKey())
                .set("state", run.state().name())
                .set("version", run.version())
                .set("idempotency_key", row.idempotencyKey())
                .set("fingerprint", row.fingerprint())
                .set("source", run.source())
                .set("source_table", run.sourceTable())
                .set("target", run.target())
                .set("publish_mode", run.publishMode().name())
                .set("allow_empty", row.allowEmpty())
                .set("data_path", run.dataPath())
                .set("lease_ms", row.lease().toMillis())
                .set("lease_until", run.leaseUntil())
                .set("column_names", row.columns())
                .set("key_columns", run.keyColumns())
                .set("manifest_digest", row.manifestDigest())
                .set("snapshot_kind", snapshot == null ? null : snapshot.kind())
                .set("snapshot_text", snapshot == null ? null : snapshot.text())
                .set("position_kind", position == null ? null : position.kind())
                .set("position_text", position == null ? null : position.text())
                .set("consistency", consistency == null ? null : consistency.name())
                .set("source_count", run.sourceCount())
                .set("partition_count", run.partitionCount())
                .set("succeeded_partitions", run.succeededPartitions())
                .setBalance("extracted_", run.extracted())
                .set("losses", LossJson.write(run.losses()))
                .set("recovery", run.recovery().name())
                .set("cut_id", cut == null ? null : cut.id())
                .set("cut_tables", cut == null ? null : (Integer) cut.tables())
                .set("read_options", ReadOptionsJson.write(row.reading()))
                .set("owner", run.owner())
                .set("staged_snapshot_id", run.stagedSnapshotId())
                .set("published_snapshot_id", run.publishedSnapshotId())
                .setFailure(run.failure())
                .set("created_at", run.createdAt())
                .set("extracted_at", run.extractedAt())
                .set("published_at", run.publishedAt())
                .set("confirmed_at", run.confirmedAt())
                .set("ended_at", run.endedAt())
                .set("cleaned_at", run.cleanedAt())
                .set("deadline", run.deadline());
    }

    /** What a new row adds to its event. */
    public static RowChange added(RunRow row) {
        return new RowChange(NAME, of(row).difference(null));
    }

    /** What a change adds to its event: the columns that differ. */
    public static RowChange changed(RunRow before, RunRow after) {
        return new RowChange(NAME, of(after).difference(of(before)));
    }
}
