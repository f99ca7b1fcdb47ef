package io.weir.ledger.publish;

import io.weir.core.publish.PublishAttempt;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;

/** An attempt as columns, for its table and its events. */
public final class AttemptColumns {
    private AttemptColumns() {}

    public static Columns of(AttemptRow row) {
        PublishAttempt attempt = row.attempt();
        return new Columns()
                .set("target", attempt.target())
                .set("epoch", attempt.epoch())
                .set("run_id", attempt.runId().value())
                .set("token", attempt.token())
                .set("state", attempt.state().name())
                .set("version", row.version())
                .set("base_snapshot_id", attempt.baseSnapshotId())
                .set("staged_snapshot_id", attempt.stagedSnapshotId())
                .set("evidence", attempt.evidence());
    }

    /** What a new row adds to its event. */
    public static RowChange added(AttemptRow row) {
        return new RowChange(name(row.attempt()), of(row).difference(null));
    }

    /** What a change adds to its event: the columns that differ. */
    public static RowChange changed(AttemptRow before, AttemptRow after) {
        return new RowChange(name(after.attempt()), of(after).difference(of(before)));
    }

    private static String name(PublishAttempt attempt) {
        return "attempt/" + attempt.target() + "/" + attempt.epoch();
    }
}
