package io.weir.testkit.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.ledger.sql.Columns;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A row as text, so that the books, their events and other books can be compared. */
final class ComparableRow {
    /** Letting time pass moves them; their events remember where they were. */
    private static final Set<String> MOVED_BY_TIME =
            Set.of("deadline", "due_at", "sent_at", "ended_at");

    private ComparableRow() {}

    static Map<String, String> of(ObjectNode row) {
        Map<String, String> fields = new TreeMap<>();
        row.fieldNames().forEachRemaining(name -> {
            JsonNode value = row.get(name);
            boolean moves = Columns.SIGNS_OF_LIFE.contains(name) || MOVED_BY_TIME.contains(name);
            if (!value.isNull() && !moves) {
                fields.put(name, text(name, value));
            }
        });
        return fields;
    }

    private static String text(String name, JsonNode value) {
        if (name.endsWith("_at")) {
            try {
                return OffsetDateTime.parse(value.asText()).toInstant().toString();
            } catch (DateTimeParseException e) {
                return value.asText();
            }
        }
        if (name.endsWith("digest_sum")) {
            return new BigDecimal(value.asText()).toBigInteger().toString();
        }
        return value.isTextual() ? value.asText() : value.toString();
    }
}
