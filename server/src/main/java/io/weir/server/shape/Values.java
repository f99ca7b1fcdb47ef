package io.weir.server.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/** The checked values of one document. Ask only for fields of its shape. */
public final class Values {
    static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,38}");
    private static final Pattern COUNT = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern ID =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final int NAME_MAX = 150;

    private final Map<String, Object> values;

    private Values(Map<String, Object> values) {
        this.values = values;
    }

    /**
     * Reads a document.
     *
     * @param offences gets one line for each field that cannot be used, its place in front
     */
    public static Values read(Shape shape, JsonNode document, String place, List<String> offences) {
        Map<String, Object> values = new LinkedHashMap<>();
        if (!document.isObject()) {
            offences.add(place + ": not an object");
            return new Values(values);
        }
        document.fieldNames().forEachRemaining(name -> {
            if (!shape.has(name)) {
                offences.add(place + "/" + shown(name) + ": unknown field");
            }
        });
        for (Field field : shape.fields()) {
            JsonNode node = document.get(field.name());
            if (node == null || node.isNull()) {
                boolean missing = field.required() || (node != null && !field.nullable());
                if (missing) {
                    offences.add(place + "/" + field.name() + ": missing");
                }
                continue;
            }
            Object value = new Reader(field, node, place, offences).value();
            if (value != null) {
                values.put(field.name(), value);
            }
        }
        return new Values(values);
    }

    private static String shown(String name) {
        return name.length() > NAME_MAX ? name.substring(0, NAME_MAX) + "…" : name;
    }

    /**
     * One value.
     *
     * @param parent the place of the document that it is in
     */
    private record Reader(Field field, JsonNode node, String parent, List<String> offences) {
        @Nullable
        Object value() {
            return switch (field.kind()) {
                case TEXT -> text();
                case COUNT -> count();
                case TRUTH -> truth();
                case UUID -> uuid();
                case DECIMAL -> decimal();
                case OBJECT -> node.isObject() ? node : refuse("not an object");
                case ANY -> node;
                case TEXTS_BY_NAME -> textsByName();
                case LIST -> list();
                case TIME, COUNTS_BY_NAME, TEXTS -> refuse("only replies have this");
            };
        }

        private @Nullable Object text() {
            if (!node.isTextual()) {
                return refuse("not a text");
            }
            String text = node.textValue();
            if (text.length() > field.max() || text.length() < field.min()) {
                return refuse("its length is not " + field.min() + " to " + field.max());
            }
            if (text.indexOf('\0') >= 0) {
                return refuse("it holds a NUL character");
            }
            Pattern pattern = field.pattern();
            if (pattern != null && !pattern.matcher(text).matches()) {
                return refuse("not of the form " + pattern.pattern());
            }
            if (!field.constants().isEmpty() && !field.constants().contains(text)) {
                return refuse("not one of " + String.join(", ", field.constants()));
            }
            return text;
        }

        private @Nullable Object count() {
            if (node.isIntegralNumber() && node.canConvertToLong()) {
                return bounded(node.longValue());
            }
            String digits = node.isIntegralNumber() || node.isTextual() ? node.asText() : "";
            if (!COUNT.matcher(digits).matches()) {
                return refuse("not a whole number");
            }
            BigInteger number = new BigInteger(digits);
            return number.bitLength() < Long.SIZE ? bounded(number.longValue()) : outOfBounds();
        }

        private @Nullable Object bounded(long number) {
            return number < field.min() || number > field.max() ? outOfBounds() : (Object) number;
        }

        private @Nullable Object outOfBounds() {
            return refuse("not " + field.min() + " to " + field.max());
        }

        private @Nullable Object truth() {
            return switch (node.isBoolean() || node.isTextual() ? node.asText() : "") {
                case "true" -> true;
                case "false" -> false;
                default -> refuse("neither true nor false");
            };
        }

        private @Nullable Object uuid() {
            return node.isTextual() && ID.matcher(node.textValue()).matches()
                    ? UUID.fromString(node.textValue())
                    : refuse("not a UUID");
        }

        private @Nullable Object decimal() {
            String digits = node.isIntegralNumber() || node.isTextual() ? node.asText() : "";
            return DECIMAL.matcher(digits).matches()
                    ? new BigInteger(digits)
                    : refuse("not a whole number of at most 38 digits");
        }

        private @Nullable Object textsByName() {
            if (!node.isObject() || node.size() > field.max()) {
                return refuse("not an object of at most " + field.max() + " fields");
            }
            Map<String, String> texts = new LinkedHashMap<>();
            node.properties().forEach(entry -> {
                boolean scalar =
                        entry.getValue().isTextual() || entry.getValue().isNumber();
                Pattern pattern = field.pattern();
                if (!scalar
                        || (pattern != null && !pattern.matcher(entry.getKey()).matches())) {
                    refuse("no text under a plain name: " + shown(entry.getKey()));
                } else {
                    texts.put(entry.getKey(), entry.getValue().asText());
                }
            });
            return texts;
        }

        private @Nullable Object list() {
            if (!node.isArray() || node.size() < field.min() || node.size() > field.max()) {
                return refuse("not a list of " + field.min() + " to " + field.max());
            }
            Shape items = Objects.requireNonNull(field.items(), "shape of elements");
            List<Values> list = new ArrayList<>();
            for (int i = 0; i < node.size(); i++) {
                list.add(Values.read(items, node.get(i), place() + "/" + i, offences));
            }
            return list;
        }

        private String place() {
            return parent + "/" + field.name();
        }

        private @Nullable Object refuse(String why) {
            offences.add(place() + ": " + why);
            return null;
        }
    }

    public String text(String name) {
        return (String) present(name);
    }

    public String text(String name, String otherwise) {
        Object value = values.get(name);
        return value == null ? otherwise : (String) value;
    }

    public @Nullable String textOrNull(String name) {
        return (String) values.get(name);
    }

    public long count(String name) {
        return (Long) present(name);
    }

    public long count(String name, long otherwise) {
        Object value = values.get(name);
        return value == null ? otherwise : (Long) value;
    }

    public @Nullable Long countOrNull(String name) {
        return (Long) values.get(name);
    }

    public boolean truth(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    public UUID uuid(String name) {
        return (UUID) present(name);
    }

    public @Nullable BigInteger decimalOrNull(String name) {
        return (BigInteger) values.get(name);
    }

    public @Nullable JsonNode objectOrNull(String name) {
        return (JsonNode) values.get(name);
    }

    /** The document again, for a shape whose fields may hold anything. */
    public ObjectNode document() {
        ObjectNode document = Json.object();
        values.forEach((name, value) -> document.set(name, (JsonNode) value));
        return document;
    }

    @SuppressWarnings("unchecked")
    public Map<String, String> textsByName(String name) {
        Object value = values.get(name);
        return value == null ? Map.of() : (Map<String, String>) value;
    }

    @SuppressWarnings("unchecked")
    public List<Values> list(String name) {
        Object value = values.get(name);
        return value == null ? List.of() : (List<Values>) value;
    }

    public <E extends Enum<E>> E constant(String name, Class<E> type) {
        return Enum.valueOf(type, text(name));
    }

    private Object present(String name) {
        return Objects.requireNonNull(values.get(name), name);
    }
}
