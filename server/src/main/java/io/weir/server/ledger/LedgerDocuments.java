package io.weir.server.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.client.wire.LedgerCall;
import io.weir.client.wire.WireSchema;
import io.weir.core.json.Json;
import io.weir.server.route.Contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What the document of the API says of the calls of the port. */
final class LedgerDocuments {
    /** One request and its reply for each call, as a server answered once. */
    private static final String EXAMPLES = "examples.json";

    private final WireSchema schemas = new WireSchema();
    private final JsonNode examples = examples();

    private static JsonNode examples() {
        try (InputStream stream = LedgerDocuments.class.getResourceAsStream(EXAMPLES)) {
            return stream == null
                    ? Json.object()
                    : Json.parse(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Contract of(LedgerCall<?, ?> call) {
        ObjectNode request = schemas.of(call.question());
        ObjectNode reply = Json.object().put("type", "object");
        reply.putObject("properties").set(LedgerCall.ANSWER, schemas.of(call.answer()));
        reply.putArray("required").add(LedgerCall.ANSWER);
        reply.put("additionalProperties", false);
        JsonNode example = examples.path(call.name());
        return new Contract(
                request, reply, schemas.named(), example.get("request"), example.get("reply"));
    }
}
