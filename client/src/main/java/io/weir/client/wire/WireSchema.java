package io.weir.client.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.row.Balance;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What {@link Wire} writes, as JSON Schema. Records are named schemas that others refer to; the
 * names begin with {@code Ledger}.
 */
public final class WireSchema {
    private static final String REFERENCE = "#/components/schemas/";

    private final Map<String, ObjectNode> named = new TreeMap<>();

    /** Every record that was met, by name. */
    public Map<String, ObjectNode> named() {
        return Map.copyOf(named);
    }

    /**
     * The schema of a value.
     *
     * @throws IllegalArgumentException for a type that has no form on the wire
     */
    public ObjectNode of(Type type) {
        if (type instanceof ParameterizedType generic) {
            return generic(generic);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == JsonNode.class) {
            return Json.object();
        }
        if (plain == boolean.class || plain == Boolean.class) {
            return typed("boolean");
        }
        if (plain == int.class || plain == Integer.class) {
            return typed("integer");
        }
        if (plain == Balance.class || (plain.isRecord() && !isId(plain))) {
            return Json.object().put("$ref", REFERENCE + record(plain));
        }
        return text(plain);
    }

    /** The schema of a record, which is named. */
    public String record(Class<?> type) {
        String name = name(type);
        if (!named.containsKey(name)) {
            // There before its fields: they may lead back to it.
            named.put(name, Json.object());
            named.put(name, type == Balance.class ? balance() : fields(type));
        }
        return name;
    }

    private static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        if (outer == Questions.class) {
            return "Ledger" + type.getSimpleName() + "Question";
        }
        String prefix = outer == null || outer == LedgerCalls.class ? "" : outer.getSimpleName();
        return "Ledger" + prefix + type.getSimpleName();
    }

    private static boolean isId(Class<?> plain) {
        return plain == RunId.class || plain == PartitionId.class;
    }

    private static ObjectNode typed(String type) {
        return Json.object().put("type", type);
    }

    private ObjectNode generic(ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == Optional.class) {
            return orNull(of(arguments[0]));
        }
        if (type.getRawType() == List.class) {
            return typed("array").set("items", of(arguments[0]));
        }
        if (type.getRawType() == Map.class) {
            return typed("object").set("additionalProperties", of(arguments[1]));
        }
        throw new IllegalArgumentException("No form on the wire: " + type);
    }

    private static ObjectNode orNull(ObjectNode schema) {
        ObjectNode either = Json.object();
        either.putArray("anyOf").add(schema).add(typed("null"));
        return either;
    }

    private ObjectNode fields(Class<?> type) {
        ObjectNode schema = typed("object");
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = Json.array();
        for (RecordComponent component : type.getRecordComponents()) {
            ObjectNode field = of(component.getGenericType());
            boolean optional = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            properties.set(component.getName(), optional ? orNull(field) : field);
            if (!optional) {
                required.add(component.getName());
            }
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema.put("additionalProperties", false);
    }

    private static ObjectNode balance() {
        ObjectNode schema = typed("object");
        ObjectNode properties = schema.putObject("properties");
        properties.set("rows", text(Long.class));
        properties.set("digest", typed("string").put("pattern", "^[0-9a-f]{32}$"));
        schema.putArray("required").add("rows").add("digest");
        return schema.put("additionalProperties", false);
    }

    private static ObjectNode text(Class<?> type) {
        ObjectNode schema = typed("string");
        if (type.isEnum()) {
            ArrayNode words = schema.putArray("enum");
            for (Object constant : type.getEnumConstants()) {
                words.add(((Enum<?>) constant).name());
            }
            return schema;
        }
        if (type == Long.class || type == long.class) {
            return schema.put("pattern", "^-?[0-9]{1,19}$");
        }
        if (type == UUID.class || type == RunId.class) {
            return schema.put("format", "uuid");
        }
        if (type == Instant.class) {
            return schema.put("format", "date-time");
        }
        if (type == Duration.class) {
            return schema.put("format", "duration");
        }
        if (type == String.class || type == PartitionId.class) {
            return schema;
        }
        throw new IllegalArgumentException("No form on the wire: " + type);
    }
}
