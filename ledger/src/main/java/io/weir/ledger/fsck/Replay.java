package io.weir.ledger.fsck;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.ledger.sql.Columns;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares the rows that the events of a run fold to with those that the tables hold. */
public final class Replay {
    /** As the invariant is listed. */
    public static final String ID = "I24";

    public static final String TITLE =
            "The events of a run, folded in order, are its rows: nothing changed without an event.";

    /** Notes beside the changes, and rows that several runs have in common. */
    private static final Set<String> NO_ROWS = Set.of("operator", "target");

    private Replay() {}

    /**
     * Every difference, such as {@code row=partition/0000 column=rows events=10 table=11}.
     *
     * @param folded as {@link io.weir.ledger.event.EventFold} gives them
     * @param stored the rows of the tables by the same names, each with all its columns
     */
    public static List<String> differences(
            Map<String, ObjectNode> folded, Map<String, ObjectNode> stored) {
        Set<String> names = new TreeSet<>(folded.keySet());
        names.addAll(stored.keySet());
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            ObjectNode events = folded.get(name);
            ObjectNode table = stored.get(name);
            if (NO_ROWS.contains(name.split("/", 2)[0])) {
                continue;
            }
            if (events == null) {
                differences.add("row=" + name + " violation=no event made it");
            } else if (table == null) {
                differences.add("row=" + name + " violation=the table does not hold it");
            } else {
                compare(name, comparable(events), comparable(table), differences);
            }
        }
        return differences;
    }

    private static void compare(
            String row,
            Map<String, String> events,
            Map<String, String> table,
            List<String> differences) {
        Set<String> columns = new TreeSet<>(events.keySet());
        columns.addAll(table.keySet());
        for (String column : columns) {
            String said = events.getOrDefault(column, "null");
            String held = table.getOrDefault(column, "null");
            if (!said.equals(held)) {
                differences.add(
                        "row=" + row + " column=" + column + " events=" + said + " table=" + held);
            }
        }
    }

    /** Values as text in one form, nulls and signs of life left out. */
    private static Map<String, String> comparable(ObjectNode row) {
        Map<String, String> fields = new TreeMap<>();
        row.fieldNames().forEachRemaining(name -> {
            JsonNode value = row.get(name);
            if (!value.isNull() && !Columns.SIGNS_OF_LIFE.contains(name)) {
                fields.put(name, comparable(name, value));
            }
        });
        return fields;
    }

    private static String comparable(String name, JsonNode value) {
        if (name.endsWith("_at") || name.equals("deadline")) {
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
