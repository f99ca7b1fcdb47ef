package io.weir.client.wire;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.row.Balance;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Reads what {@link Wire} writes.
 *
 * @param strict whether an unknown field is an error
 */
public record WireReader(boolean strict) {
    private static final Pattern ID =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{32}");

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException with the place and the reason if it is none of the type
     */
    public Object read(Type type, JsonNode node) {
        return value(type, node, "");
    }

    private Object value(Type type, JsonNode node, String place) {
        if (type instanceof ParameterizedType generic) {
            return generic(generic, node, place);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == JsonNode.class) {
            return node;
        }
        if (node.isMissingNode() || node.isNull()) {
            throw refused(place, "missing");
        }
        if (plain == boolean.class || plain == Boolean.class) {
            return truth(node, place);
        }
        if (plain == int.class || plain == Integer.class) {
            return Math.toIntExact(whole(node, place, Integer.MIN_VALUE, Integer.MAX_VALUE));
        }
        if (plain == long.class || plain == Long.class) {
            return whole(node, place, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        if (plain == Balance.class) {
            return balance(node, place);
        }
        return plain.isRecord() && !isId(plain)
                ? fields(plain, node, place)
                : word(plain, node, place);
    }

    private static boolean isId(Class<?> plain) {
        return plain == RunId.class || plain == PartitionId.class;
    }

    private Object generic(ParameterizedType type, JsonNode node, String place) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == Optional.class) {
            return node.isNull() ? Optional.empty() : Optional.of(value(arguments[0], node, place));
        }
        if (type.getRawType() == List.class) {
            return list(arguments[0], node, place);
        }
        if (!node.isObject()) {
            throw refused(place, "not an object");
        }
        Map<String, Object> map = new LinkedHashMap<>();
        node.properties()
                .forEach(entry -> map.put(
                        entry.getKey(),
                        value(arguments[1], entry.getValue(), place + "/" + entry.getKey())));
        return map;
    }

    private List<Object> list(Type type, JsonNode node, String place) {
        if (!node.isArray()) {
            throw refused(place, "not a list");
        }
        List<Object> list = new ArrayList<>();
        for (JsonNode element : node) {
            list.add(value(type, element, place + "/" + list.size()));
        }
        return list;
    }

    private Object fields(Class<?> type, JsonNode node, String place) {
        if (!node.isObject()) {
            throw refused(place, "not an object");
        }
        RecordComponent[] components = type.getRecordComponents();
        if (strict) {
            Set<String> known = new HashSet<>();
            Arrays.stream(components).map(RecordComponent::getName).forEach(known::add);
            onlyKnown(known, node, place);
        }
        @Nullable Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            RecordComponent component = components[i];
            types[i] = component.getType();
            JsonNode field = node.path(component.getName());
            boolean absent = field.isMissingNode() || field.isNull();
            values[i] = absent && component.getAnnotatedType().isAnnotationPresent(Nullable.class)
                    ? null
                    : value(component.getGenericType(), field, place + "/" + component.getName());
        }
        return made(type, types, values, place);
    }

    private static void onlyKnown(Set<String> known, JsonNode node, String place) {
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw refused(place, "unknown field " + shown(name));
            }
        });
    }

    private static Object made(
            Class<?> type, Class<?>[] types, @Nullable Object[] values, String place) {
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw refused(place, cause == null ? "not usable" : "" + cause.getMessage());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot make " + type, e);
        }
    }

    private static boolean truth(JsonNode node, String place) {
        if (!node.isBoolean()) {
            throw refused(place, "neither true nor false");
        }
        return node.booleanValue();
    }

    private static long whole(JsonNode node, String place, long min, long max) {
        String digits = node.isIntegralNumber() || node.isTextual() ? node.asText() : "";
        if (WHOLE.matcher(digits).matches()) {
            try {
                long number = Long.parseLong(digits);
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw refused(place, "not " + min + " to " + max);
            }
        }
        throw refused(place, "not a whole number of " + min + " to " + max);
    }

    private Balance balance(JsonNode node, String place) {
        if (!node.isObject()) {
            throw refused(place, "not an object");
        }
        if (strict) {
            onlyKnown(Set.of("rows", "digest"), node, place);
        }
        String digest = node.path("digest").asText();
        if (!DIGEST.matcher(digest).matches()) {
            throw refused(place + "/digest", "not 32 hexadecimal digits");
        }
        long rows = whole(node.path("rows"), place + "/rows", Long.MIN_VALUE, Long.MAX_VALUE);
        return Balance.of(rows, digest);
    }

    private static Object word(Class<?> type, JsonNode node, String place) {
        if (!node.isTextual()) {
            throw refused(place, "not a text");
        }
        String text = node.textValue();
        if (text.indexOf('\0') >= 0) {
            throw refused(place, "it holds a NUL character");
        }
        if (type == String.class) {
            return text;
        }
        if (type.isEnum()) {
            return constant(type, text, place);
        }
        try {
            if (type == Instant.class) {
                return Instant.parse(text);
            }
            if (type == Duration.class) {
                return Duration.parse(text);
            }
            if (type == PartitionId.class) {
                return new PartitionId(text);
            }
        } catch (DateTimeException | IllegalArgumentException e) {
            throw refused(place, "not of the form of " + type.getSimpleName());
        }
        return id(type, text, place);
    }

    private static Object id(Class<?> type, String text, String place) {
        if (!ID.matcher(text).matches()) {
            throw refused(place, "not a UUID");
        }
        UUID id = UUID.fromString(text);
        if (type == UUID.class) {
            return id;
        }
        if (type == RunId.class) {
            return new RunId(id);
        }
        throw new IllegalStateException("No form on the wire: " + type);
    }

    private static Object constant(Class<?> type, String text, String place) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(text)) {
                return constant;
            }
        }
        throw refused(place, "not a constant of " + type.getSimpleName());
    }

    private static String shown(String name) {
        return name.length() > 100 ? name.substring(0, 100) + "…" : name;
    }

    private static IllegalArgumentException refused(String place, String why) {
        return new IllegalArgumentException((place.isEmpty() ? "/" : place) + ": " + why);
    }
}
