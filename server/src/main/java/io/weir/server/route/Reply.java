package io.weir.server.route;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;

import java.util.Map;

/** What a call is answered. */
public record Reply(int status, String type, String body, Map<String, String> headers) {
    public static final String JSON = "application/json";

    public static Reply ok(JsonNode document) {
        return json(200, document);
    }

    public static Reply json(int status, JsonNode document) {
        return new Reply(status, JSON, Json.line(document), Map.of());
    }

    public static Reply text(String type, String text) {
        return new Reply(200, type, text, Map.of());
    }

    public Reply with(String header, String value) {
        return new Reply(status, type, body, Map.of(header, value));
    }
}
