package io.weir.ledger.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.Event;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Replays events into rows; what comes out must be what the tables hold. */
public final class EventFold {
    private EventFold() {}

    /**
     * Folds the events of one run.
     *
     * @param events in order
     * @return the rows by name, each with all its columns except signs of life
     */
    public static Map<String, ObjectNode> fold(List<Event> events) {
        Map<String, ObjectNode> rows = new LinkedHashMap<>();
        for (Event event : events) {
            JsonNode details = event.details();
            details.fieldNames()
                    .forEachRemaining(row -> rows.computeIfAbsent(row, name -> Json.object())
                            .setAll((ObjectNode) details.get(row)));
        }
        return rows;
    }
}
