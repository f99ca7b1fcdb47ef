package io.weir.ledger.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.ledger.ReadOptions;
import io.weir.core.row.LossPolicy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Read options as {@code {"exclude": [...], "policies": {"column": "POLICY"}}}. */
public final class ReadOptionsJson {
    private ReadOptionsJson() {}

    public static ObjectNode write(ReadOptions options) {
        ObjectNode node = Json.object();
        ArrayNode exclude = node.putArray("exclude");
        options.exclude().forEach(exclude::add);
        ObjectNode policies = node.putObject("policies");
        new TreeMap<>(options.policies())
                .forEach((column, policy) -> policies.put(column, policy.name()));
        return node;
    }

    public static ReadOptions read(String text) {
        JsonNode node = Json.parse(text);
        List<String> exclude = new ArrayList<>();
        node.get("exclude").forEach(column -> exclude.add(column.asText()));
        Map<String, LossPolicy> policies = new TreeMap<>();
        JsonNode stored = node.get("policies");
        stored.fieldNames()
                .forEachRemaining(column -> policies.put(
                        column, LossPolicy.valueOf(stored.get(column).asText())));
        return new ReadOptions(exclude, policies);
    }
}
