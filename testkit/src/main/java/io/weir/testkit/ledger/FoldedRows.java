package io.weir.testkit.ledger;

import io.weir.core.run.Event;
import io.weir.ledger.event.EventFold;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the events of a run say about its rows. */
public final class FoldedRows {
    private FoldedRows() {}

    /** Comparable with the rows of the books; operators and the shared target are left out. */
    public static Map<String, Map<String, String>> of(List<Event> events) {
        Map<String, Map<String, String>> folded = new TreeMap<>();
        EventFold.fold(events).forEach((name, row) -> {
            if (!name.equals("operator") && !name.startsWith("target/")) {
                folded.put(name, LedgerBooks.comparable(row));
            }
        });
        return folded;
    }
}
