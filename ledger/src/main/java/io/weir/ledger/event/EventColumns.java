package io.weir.ledger.event;

import io.weir.core.run.PartitionId;
import io.weir.ledger.sql.Columns;

/** An event as columns of the journal. */
public final class EventColumns {
    private EventColumns() {}

    public static Columns of(EventDraft draft) {
        PartitionId partitionId = draft.partitionId();
        return new Columns()
                .set("at", draft.at())
                .set("run_id", draft.runId().value())
                .set("partition_id", partitionId == null ? null : partitionId.value())
                .set("name", draft.name())
                .set("details", draft.details());
    }
}
