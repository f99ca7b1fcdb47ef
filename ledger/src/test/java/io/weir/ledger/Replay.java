package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.RunId;
import io.weir.ledger.event.EventFold;
import io.weir.ledger.sql.Columns;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;

/** Folds the events of a run and asks PostgreSQL for its rows. */
final class Replay {
    private static final String ROWS = """
            select 'run' as name, to_jsonb(r)::text as document from weir.run r where id = :id
            union all
            select 'partition/' || id, to_jsonb(r)::text from weir.partition r where run_id = :id
            union all
            select 'chunk/' || partition_id || '/' || epoch || '/' || chunk_index,
                to_jsonb(r)::text
            from weir.chunk r where run_id = :id
            union all
            select 'metric/' || stage || '/' || subject || '/' || name, to_jsonb(r)::text
            from weir.metric r where run_id = :id
            union all
            select 'dispatch/' || kind || '/' || cycle, to_jsonb(r)::text
            from weir.dispatch r where run_id = :id
            union all
            select 'attempt/' || target || '/' || epoch, to_jsonb(r)::text
            from weir.publish_attempt r where run_id = :id
            union all
            select 'target/' || name, to_jsonb(r)::text
            from weir.target r where name = (select target from weir.run where id = :id)
            """;

    private Replay() {}

    /** Fails if the events of a run fold to anything but its rows, of which there are so many. */
    static void assertReplays(OwnBooks books, RunId id, int rows) {
        Map<String, Map<String, String>> folded = new TreeMap<>();
        EventFold.fold(books.ledger.events(id))
                .forEach((name, row) -> folded.put(name, comparable(row)));
        // Who did it and why: a note beside the changes, no row.
        folded.remove("operator");

        assertThat(folded).isEqualTo(rows(books, id)).hasSize(rows);
    }

    private static Map<String, Map<String, String>> rows(OwnBooks books, RunId id) {
        Map<String, Map<String, String>> rows = new TreeMap<>();
        books.jdbi.useHandle(handle -> handle.createQuery(ROWS)
                .bind("id", id.value())
                .mapToMap()
                .forEach(row -> rows.put(String.valueOf(row.get("name")), comparable(row))));
        return rows;
    }

    private static Map<String, String> comparable(Map<String, Object> row) {
        return comparable((ObjectNode) Json.parse(String.valueOf(row.get("document"))));
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
