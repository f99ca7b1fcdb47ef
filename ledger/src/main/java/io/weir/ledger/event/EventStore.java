package io.weir.ledger.event;

import io.weir.core.run.Event;
import io.weir.core.run.RunId;

import java.util.List;

/** The journal inside one transaction. Nothing in it is ever changed. */
public interface EventStore {
    /** Appends in this order; the callers hold the locks of the rows that changed. */
    void append(List<EventDraft> drafts);

    /** By sequence, without locks. */
    List<Event> ofRun(RunId runId);
}
