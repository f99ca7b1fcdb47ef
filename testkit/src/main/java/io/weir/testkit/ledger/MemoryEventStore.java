package io.weir.testkit.ledger;

import io.weir.core.run.Event;
import io.weir.core.run.RunId;
import io.weir.ledger.event.EventDraft;
import io.weir.ledger.event.EventStore;

import java.util.List;

/** The journal in memory. */
public class MemoryEventStore implements EventStore {
    private final MemoryTables tables;

    public MemoryEventStore(MemoryTables tables) {
        this.tables = tables;
    }

    @Override
    public void append(List<EventDraft> drafts) {
        for (EventDraft draft : drafts) {
            long sequence = tables.nextSequence();
            Event event = new Event(
                    sequence,
                    draft.at(),
                    draft.runId(),
                    draft.partitionId(),
                    draft.name(),
                    draft.details());
            tables.shelf(draft.runId()).events.put(sequence, event);
            tables.touched.add(draft.runId());
        }
    }

    @Override
    public List<Event> ofRun(RunId runId) {
        return tables.eventsOf(runId);
    }
}
