package io.weir.server.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * What the document of the API says of a route whose documents follow from records, not from
 * shapes.
 *
 * @param named schemas that the two refer to, by name
 * @param asked an example of a request; null if there is none
 * @param answered the reply to it
 */
public record Contract(
        ObjectNode request,
        ObjectNode reply,
        Map<String, ObjectNode> named,
        @Nullable JsonNode asked,
        @Nullable JsonNode answered) {
    public Contract {
        named = Map.copyOf(named);
    }
}
