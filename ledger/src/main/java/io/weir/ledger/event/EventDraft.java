package io.weir.ledger.event;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * An event before it has its sequence number.
 *
 * @param partitionId null if the event is about the run
 */
public record EventDraft(
        Instant at,
        RunId runId,
        @Nullable PartitionId partitionId,
        String name,
        List<RowChange> changes) {
    public EventDraft {
        changes = List.copyOf(changes);
    }

    /** The columns that changed, by row, as the journal keeps them. */
    public ObjectNode details() {
        ObjectNode details = Json.object();
        for (RowChange change : changes) {
            details.set(change.row(), change.fields());
        }
        return details;
    }
}
