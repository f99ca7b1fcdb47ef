package io.weir.ledger.partition;

import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Partition;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;

/** A partition as columns, for its table and its events. */
public final class PartitionColumns {
    private PartitionColumns() {}

    public static Columns of(Partition partition) {
        KeyRange range = partition.range();
        Bound lower = range.lower();
        Bound upper = range.upper();
        return new Columns()
                .set("run_id", partition.runId().value())
                .set("id", partition.id().value())
                .set("ordinal", partition.ordinal())
                .set("lower_kind", lower == null ? null : lower.kind())
                .set("lower_text", lower == null ? null : lower.text())
                .set("upper_kind", upper == null ? null : upper.kind())
                .set("upper_text", upper == null ? null : upper.text())
                .set("is_null", range.isNull())
                .set("state", partition.state().name())
                .set("version", partition.version())
                .set("epoch", partition.epoch())
                .set("token", partition.token())
                .set("worker", partition.worker())
                .set("expected_rows", partition.expectedRows())
                .set("progress_rows", partition.progressRows())
                .set("progress_bytes", partition.progressBytes())
                .set("chunk_count", partition.chunkCount())
                .set("bytes", partition.bytes())
                .setBalance("", partition.balance())
                .setFailure(partition.failure())
                .set("started_at", partition.startedAt())
                .set("ended_at", partition.endedAt())
                .set("lease_until", partition.leaseUntil());
    }

    /** What a new row adds to its event. */
    public static RowChange added(Partition partition) {
        return new RowChange(name(partition), of(partition).difference(null));
    }

    /** What a change adds to its event: the columns that differ. */
    public static RowChange changed(Partition before, Partition after) {
        return new RowChange(name(after), of(after).difference(of(before)));
    }

    private static String name(Partition partition) {
        return "partition/" + partition.id();
    }
}
