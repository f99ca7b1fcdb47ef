package io.weir.client.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import io.weir.core.json.Json;
import io.weir.core.row.Balance;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Records of the port as JSON. A record is an object with one field for each component, under the
 * component's name; ids are texts, numbers of 64 bits decimal texts, times and durations ISO 8601,
 * constants their names, a balance its rows and its digest sum in 32 hexadecimal digits.
 */
public final class Wire {
    /** Refuses fields that it does not know: what asks must not mean more than is understood. */
    public static final WireReader STRICT = new WireReader(true);

    /** Passes over fields that it does not know. */
    public static final WireReader TOLERANT = new WireReader(false);

    private Wire() {}

    /**
     * Writes a value of the port.
     *
     * @throws IllegalArgumentException for a type that has no form
     */
    public static JsonNode write(@Nullable Object value) {
        if (value == null) {
            return NullNode.getInstance();
        }
        if (value instanceof JsonNode node) {
            return node;
        }
        if (value instanceof Boolean truth) {
            return Json.object().booleanNode(truth);
        }
        if (value instanceof Integer number) {
            return IntNode.valueOf(number);
        }
        if (value instanceof Enum<?> constant) {
            return TextNode.valueOf(constant.name());
        }
        if (isText(value)) {
            return TextNode.valueOf(value.toString());
        }
        return compound(value);
    }

    private static boolean isText(Object value) {
        return value instanceof String
                || value instanceof Long
                || value instanceof UUID
                || value instanceof RunId
                || value instanceof PartitionId
                || value instanceof Instant
                || value instanceof Duration;
    }

    private static JsonNode compound(Object value) {
        if (value instanceof Optional<?> optional) {
            return write(optional.orElse(null));
        }
        if (value instanceof Collection<?> elements) {
            ArrayNode array = Json.array();
            elements.forEach(element -> array.add(write(element)));
            return array;
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = Json.object();
            map.forEach((name, entry) -> object.set(name.toString(), write(entry)));
            return object;
        }
        if (value instanceof Balance balance) {
            return Json.object()
                    .put("rows", Long.toString(balance.rows()))
                    .put("digest", balance.digestText());
        }
        if (value instanceof Record record) {
            return fields(record);
        }
        throw new IllegalArgumentException("No form on the wire: " + value.getClass());
    }

    private static ObjectNode fields(Record record) {
        ObjectNode object = Json.object();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                object.set(component.getName(), write(component.getAccessor().invoke(record)));
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException("Cannot read " + component, e);
            }
        }
        return object;
    }
}
