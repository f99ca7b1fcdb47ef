package io.weir.ledger.database;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;

import java.util.Collection;
import java.util.function.Function;

/**
 * Rows as one parameter: a statement takes any number of them, so that its constraints are prepared
 * once and the network is crossed once.
 */
final class JsonRows {
    private JsonRows() {}

    /** An array of objects, one for each row; the names are those of the columns. */
    static <T> String of(Collection<T> rows, Function<T, ObjectNode> document) {
        ArrayNode array = Json.array();
        rows.forEach(row -> array.add(document.apply(row)));
        return Json.line(array);
    }
}
