package io.weir.testkit.digest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.json.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code vectors.json}; {@code docs/reference/digest.md} is the specification. */
public final class DigestVectors {
    private static final String RESOURCE = "vectors.json";

    private DigestVectors() {}

    /** Every vector, in the order of the file; read anew at each call. */
    public static List<DigestVector> all() {
        List<DigestVector> vectors = new ArrayList<>();
        for (JsonNode node : Json.parse(text()).get("vectors")) {
            vectors.add(vector(node));
        }
        return List.copyOf(vectors);
    }

    private static String text() {
        try (InputStream in = DigestVectors.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("Cannot find " + RESOURCE + " on the class path");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + RESOURCE, e);
        }
    }

    private static DigestVector vector(JsonNode node) {
        List<VectorField> fields = new ArrayList<>();
        for (JsonNode field : node.get("fields")) {
            fields.add(new VectorField(
                    field.get("fieldId").intValue(),
                    field.get("sourceType").textValue(),
                    field.get("type").textValue(),
                    hexOrNull(field.get("wire")),
                    field.get("sql").textValue(),
                    field.get("postgresql").textValue(),
                    field.get("text").textValue()));
        }
        return new DigestVector(
                node.get("name").textValue(),
                fields,
                hex(node.get("canonical")),
                node.get("digest").textValue());
    }

    private static @Nullable String hexOrNull(JsonNode node) {
        return node.isNull() ? null : hex(node);
    }

    /** Hexadecimal digits as they are, or as pieces that repeat. */
    private static String hex(JsonNode node) {
        if (node.isTextual()) {
            return node.textValue();
        }
        StringBuilder digits = new StringBuilder();
        for (JsonNode piece : node) {
            digits.append(piece.get("hex").textValue().repeat(piece.get("times").intValue()));
        }
        return digits.toString();
    }
}
