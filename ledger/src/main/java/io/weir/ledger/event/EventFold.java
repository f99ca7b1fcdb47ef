package io.weir.ledger.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.Event;
import io.weir.ledger.chunk.ChunkBatch;
import io.weir.ledger.chunk.ChunkColumns;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Replays events into rows; what comes out must be what the tables hold. */
public final class EventFold {
    private static final Pattern CHUNK = Pattern.compile("chunk/[^/]+/[0-9]{1,18}/[0-9]{1,9}");

    /** Events of older ledgers name the file of a chunk, which follows from its key. */
    private static final String PATH = "path";

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
            changes(event)
                    .forEach((row, fields) -> rows.computeIfAbsent(row, name -> begin(event, name))
                            .setAll(fields));
        }
        return rows;
    }

    /** What an event says, by row: chunks that it tells together one by one. */
    public static Map<String, ObjectNode> changes(Event event) {
        Map<String, ObjectNode> changes = new LinkedHashMap<>();
        JsonNode details = event.details();
        details.fieldNames().forEachRemaining(name -> {
            ObjectNode fields = (ObjectNode) details.get(name);
            if (ChunkBatch.isName(name)) {
                changes.putAll(ChunkBatch.changes(name, fields));
            } else {
                boolean namesFile = fields.has(PATH) && isChunk(name);
                changes.put(name, namesFile ? fields.deepCopy().without(PATH) : fields);
            }
        });
        return changes;
    }

    /** A row before its first event: what its name says of it. */
    public static ObjectNode begin(Event event, String name) {
        return isChunk(name) ? ChunkColumns.named(event.runId(), name) : Json.object();
    }

    private static boolean isChunk(String name) {
        return CHUNK.matcher(name).matches();
    }
}
