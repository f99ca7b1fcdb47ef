package io.weir.server.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.json.Json;
import io.weir.server.route.Contract;
import io.weir.server.route.Problem;
import io.weir.server.route.Route;
import io.weir.server.shape.Field;
import io.weir.server.shape.Shape;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The document of the API, OpenAPI 3.1. Nothing in it is written by hand twice. */
public final class OpenApi {
    private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");
    private static final String SCHEMAS = "#/components/schemas/";

    private OpenApi() {}

    public static ObjectNode of(List<Route> routes) {
        ObjectNode document = Json.object().put("openapi", "3.1.0");
        document.putObject("info")
                .put("title", "Weir load control")
                .put("version", "1")
                .put(
                        "description",
                        "Calls may arrive more than once; state changes happen at most once.");
        ObjectNode paths = document.putObject("paths");
        Map<String, Shape> shapes = new TreeMap<>();
        Map<String, ObjectNode> named = new TreeMap<>();
        for (Route route : routes) {
            ObjectNode path = paths.withObjectProperty(route.path());
            path.set(route.method().name().toLowerCase(Locale.ROOT), operation(route));
            Contract contract = route.contract();
            if (contract == null) {
                collect(route.request(), shapes);
                collect(route.reply(), shapes);
            } else {
                named.putAll(contract.named());
            }
        }
        ObjectNode components = document.putObject("components");
        components
                .putObject("securitySchemes")
                .putObject("token")
                .put("type", "http")
                .put("scheme", "bearer");
        ObjectNode schemas = components.putObject("schemas");
        shapes.forEach((name, shape) -> schemas.set(name, shape.schema()));
        named.forEach(schemas::set);
        schemas.set("Problem", problem());
        return document;
    }

    private static void collect(@Nullable Shape shape, Map<String, Shape> shapes) {
        if (shape != null) {
            shapes.put(shape.name(), shape);
            shape.fields().stream().map(Field::items).forEach(items -> collect(items, shapes));
        }
    }

    private static ObjectNode operation(Route route) {
        ObjectNode operation = Json.object().put("summary", route.summary());
        if (route.scope() == null) {
            operation.putArray("security");
        } else {
            operation.putArray("security").addObject().putArray("token");
            operation.put("x-scope", route.scope().text());
        }
        ArrayNode parameters = operation.putArray("parameters");
        Matcher names = PARAMETER.matcher(route.path());
        while (names.find()) {
            parameter(parameters, names.group(1), "path").put("required", true);
        }
        route.query().forEach(name -> parameter(parameters, name, "query"));
        Shape request = route.request();
        Contract contract = route.contract();
        if (contract != null) {
            ObjectNode body = operation.putObject("requestBody").put("required", true);
            said(body, contract.request(), contract.asked());
        } else if (request != null) {
            ObjectNode body = operation.putObject("requestBody");
            body.put("required", request.fields().stream().anyMatch(Field::required));
            content(body, "application/json").put("$ref", SCHEMAS + request.name());
        }
        ObjectNode responses = operation.putObject("responses");
        ObjectNode good = responses.putObject("200").put("description", "Done, now or before.");
        Shape reply = route.reply();
        if (contract != null) {
            said(good, contract.reply(), contract.answered());
        } else if (reply != null) {
            ObjectNode schema = content(good, "application/json");
            (route.isList() ? schema.put("type", "array").putObject("items") : schema)
                    .put("$ref", SCHEMAS + reply.name());
        }
        ObjectNode bad = responses
                .putObject("default")
                .put("description", "Not done; code says why, retryable whether to try again.");
        content(bad, Problem.TYPE).put("$ref", SCHEMAS + "Problem");
        return operation;
    }

    private static ObjectNode parameter(ArrayNode parameters, String name, String place) {
        ObjectNode parameter = parameters.addObject().put("name", name).put("in", place);
        parameter.putObject("schema").put("type", "string");
        return parameter;
    }

    private static ObjectNode content(ObjectNode node, String type) {
        return node.putObject("content").putObject(type).putObject("schema");
    }

    private static void said(ObjectNode holder, ObjectNode schema, @Nullable JsonNode example) {
        ObjectNode media = holder.putObject("content").putObject("application/json");
        media.set("schema", schema);
        if (example != null) {
            media.set("example", example);
        }
    }

    private static ObjectNode problem() {
        ObjectNode schema = Json.object().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (String text :
                List.of("type", "title", "detail", "instance", "message", "requestId", "hint")) {
            properties.putObject(text).put("type", "string");
        }
        properties.putObject("status").put("type", "integer");
        properties.putObject("retryable").put("type", "boolean");
        properties.putObject("details").put("type", "object");
        ArrayNode codes = properties.putObject("code").put("type", "string").putArray("enum");
        Arrays.stream(ErrorCode.values()).map(Problem::name).forEach(codes::add);
        ArrayNode required = schema.putArray("required");
        List.of("type", "title", "status", "code", "message", "requestId", "retryable")
                .forEach(required::add);
        return schema;
    }
}
