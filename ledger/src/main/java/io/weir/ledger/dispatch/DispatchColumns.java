package io.weir.ledger.dispatch;

import io.weir.core.run.Dispatch;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;

/** A dispatch as columns, for its table and its events. */
public final class DispatchColumns {
    private DispatchColumns() {}

    public static Columns of(Dispatch dispatch) {
        return new Columns()
                .set("id", dispatch.id())
                .set("run_id", dispatch.runId().value())
                .set("kind", dispatch.kind().name())
                .set("cycle", dispatch.cycle())
                .set("state", dispatch.state().name())
                .set("attempts", dispatch.attempts())
                .set("created_at", dispatch.createdAt())
                .set("due_at", dispatch.dueAt())
                .set("sent_at", dispatch.sentAt())
                .set("acknowledged_at", dispatch.acknowledgedAt())
                .set("last_error", dispatch.lastError());
    }

    /** What a new row adds to its event. */
    public static RowChange added(Dispatch dispatch) {
        return new RowChange(name(dispatch), of(dispatch).difference(null));
    }

    /** What a change adds to its event: the columns that differ. */
    public static RowChange changed(Dispatch before, Dispatch after) {
        return new RowChange(name(after), of(after).difference(of(before)));
    }

    private static String name(Dispatch dispatch) {
        return "dispatch/" + dispatch.kind() + "/" + dispatch.cycle();
    }
}
