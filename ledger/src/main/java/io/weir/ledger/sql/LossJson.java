package io.weir.ledger.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.Loss;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Losses as {@code {"column": count}}, ordered by column. */
public final class LossJson {
    private LossJson() {}

    public static ObjectNode write(List<Loss> losses) {
        Map<String, Long> sums = new TreeMap<>();
        losses.forEach(loss -> sums.merge(loss.column(), loss.values(), Math::addExact));
        ObjectNode node = Json.object();
        sums.forEach((column, values) -> node.put(column, (long) values));
        return node;
    }

    public static List<Loss> read(String text) {
        JsonNode node = Json.parse(text);
        Map<String, Long> sums = new TreeMap<>();
        node.fieldNames().forEachRemaining(name -> sums.put(name, node.get(name).asLong()));
        List<Loss> losses = new ArrayList<>();
        sums.forEach((column, values) -> losses.add(new Loss(column, values)));
        return List.copyOf(losses);
    }

    /** Both lists in one, columns merged. */
    public static List<Loss> sum(List<Loss> some, List<Loss> others) {
        List<Loss> all = new ArrayList<>(some);
        all.addAll(others);
        return read(Json.line(write(all)));
    }
}
