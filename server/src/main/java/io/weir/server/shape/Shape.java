package io.weir.server.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a document. Reading refuses unknown fields, missing ones and values of another
 * form, and names every offence.
 */
public record Shape(String name, List<Field> fields) {
    public Shape {
        fields = List.copyOf(fields);
    }

    public static Shape of(String name, Field... fields) {
        return new Shape(name, List.of(fields));
    }

    /** A document without fields. */
    public static Shape empty(String name) {
        return new Shape(name, List.of());
    }

    /** Whether it has a field of that name. */
    boolean has(String field) {
        for (Field own : fields) {
            if (own.name().equals(field)) {
                return true;
            }
        }
        return false;
    }

    /** The same fields and more. */
    public Shape with(String newName, Field... more) {
        List<Field> all = new ArrayList<>(fields);
        all.addAll(List.of(more));
        return new Shape(newName, all);
    }

    /** As JSON Schema; other shapes are referred to by name. */
    public ObjectNode schema() {
        ObjectNode schema = Json.object().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        var required = Json.array();
        for (Field field : fields) {
            properties.set(field.name(), schema(field));
            if (field.required()) {
                required.add(field.name());
            }
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema.put("additionalProperties", false);
    }

    private static JsonNode schema(Field field) {
        ObjectNode schema = Json.object();
        switch (field.kind()) {
            case TEXT -> text(schema, field);
            case COUNT -> schema.put("type", "integer").put("minimum", field.min());
            case TRUTH -> schema.put("type", "boolean");
            case UUID -> schema.put("type", "string").put("format", "uuid");
            case TIME -> schema.put("type", "string").put("format", "date-time");
            case DECIMAL ->
                schema.put("type", "string").put("pattern", "^" + Values.DECIMAL.pattern() + "$");
            case OBJECT -> schema.put("type", "object");
            case ANY -> {
                return schema;
            }
            case TEXTS_BY_NAME ->
                schema.put("type", "object")
                        .putObject("additionalProperties")
                        .put("type", "string");
            case COUNTS_BY_NAME ->
                schema.put("type", "object")
                        .putObject("additionalProperties")
                        .put("type", "integer");
            case TEXTS -> schema.put("type", "array").putObject("items").put("type", "string");
            case LIST -> list(schema, field);
        }
        if (!field.nullable()) {
            return schema;
        }
        ObjectNode either = Json.object();
        either.putArray("anyOf").add(schema).addObject().put("type", "null");
        return either;
    }

    private static void text(ObjectNode schema, Field field) {
        schema.put("type", "string").put("maxLength", field.max());
        if (field.min() > 0) {
            schema.put("minLength", field.min());
        }
        if (field.pattern() != null) {
            schema.put("pattern", "^" + field.pattern().pattern() + "$");
        }
        if (!field.constants().isEmpty()) {
            var words = schema.putArray("enum");
            field.constants().forEach(words::add);
        }
    }

    private static void list(ObjectNode schema, Field field) {
        schema.put("type", "array").put("minItems", field.min()).put("maxItems", field.max());
        if (field.items() != null) {
            schema.putObject("items")
                    .put("$ref", "#/components/schemas/" + field.items().name());
        }
    }
}
