package io.weir.ledger.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import io.weir.core.json.Json;
import io.weir.core.row.Balance;
import io.weir.core.run.Failure;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The columns of one row by name. The same columns are bound to the statement that writes the row
 * and compared with the row before for the event, so the two cannot differ.
 */
public final class Columns {
    /** Signs of life: they change without an event and are no part of a replayed row. */
    public static final Set<String> SIGNS_OF_LIFE =
            Set.of("lease_until", "progress_rows", "progress_bytes");

    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    public Columns set(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    /** Two columns: {@code rows} and {@code digest_sum}, both with a prefix. */
    public Columns setBalance(String prefix, @Nullable Balance balance) {
        set(prefix + "rows", balance == null ? null : (Object) balance.rows());
        return set(
                prefix + "digest_sum",
                balance == null ? null : new BigDecimal(balance.digestSum()));
    }

    public Columns setFailure(@Nullable Failure failure) {
        set("failure_stage", failure == null ? null : failure.stage());
        set("failure_code", failure == null ? null : failure.code());
        return set("failure_message", failure == null ? null : failure.message());
    }

    /** In the order in which they were set. */
    public List<String> names() {
        return List.copyOf(values.keySet());
    }

    /** Whether a column takes JSON. */
    public boolean isDocument(String name) {
        return values.get(name) instanceof JsonNode;
    }

    /** As the driver takes them. */
    public Map<String, @Nullable Object> bindings() {
        Map<String, @Nullable Object> bindings = new HashMap<>();
        values.forEach((name, value) -> bindings.put(name, binding(value)));
        return bindings;
    }

    /** Every column, for statements that take rows as JSON. */
    public ObjectNode document() {
        ObjectNode document = Json.object();
        values.forEach((name, value) -> document.set(name, json(value)));
        return document;
    }

    /** The columns that are new or have another value than before. */
    public ObjectNode difference(@Nullable Columns before) {
        ObjectNode difference = Json.object();
        values.forEach((name, value) -> {
            JsonNode now = json(value);
            boolean same = before != null && json(before.values.get(name)).equals(now);
            if (!same && !SIGNS_OF_LIFE.contains(name)) {
                difference.set(name, now);
            }
        });
        return difference;
    }

    private static @Nullable Object binding(@Nullable Object value) {
        if (value instanceof Instant instant) {
            return instant.atOffset(ZoneOffset.UTC);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(String::valueOf).toArray(String[]::new);
        }
        if (value instanceof JsonNode node) {
            return Json.line(node);
        }
        return value;
    }

    private static JsonNode json(@Nullable Object value) {
        if (value == null) {
            return NullNode.getInstance();
        }
        if (value instanceof JsonNode node) {
            return node;
        }
        if (value instanceof List<?> list) {
            ArrayNode array = Json.array();
            list.forEach(element -> array.add(String.valueOf(element)));
            return array;
        }
        return scalar(value);
    }

    private static JsonNode scalar(Object value) {
        if (value instanceof Long number) {
            return LongNode.valueOf(number);
        }
        if (value instanceof Integer number) {
            return IntNode.valueOf(number);
        }
        if (value instanceof Boolean truth) {
            return BooleanNode.valueOf(truth);
        }
        if (value instanceof BigDecimal number) {
            // As text: JSON numbers of 39 digits do not survive every reader.
            return TextNode.valueOf(number.toPlainString());
        }
        if (value instanceof String
                || value instanceof UUID
                || value instanceof Instant
                || value instanceof Enum<?>) {
            return TextNode.valueOf(value.toString());
        }
        throw new IllegalArgumentException("Invalid column type " + value.getClass());
    }
}
