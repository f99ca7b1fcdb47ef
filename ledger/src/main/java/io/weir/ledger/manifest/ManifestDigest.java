package io.weir.ledger.manifest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.ledger.Manifest;
import io.weir.core.metric.Measure;
import io.weir.core.run.Bound;
import io.weir.core.run.Position;
import io.weir.ledger.sql.ReadOptionsJson;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Two manifests are the same only if every word of them is. */
public final class ManifestDigest {
    private ManifestDigest() {}

    /** SHA-256 of all that the manifest says, as hexadecimal digits. */
    public static String of(Manifest manifest) {
        byte[] text = Json.line(document(manifest)).getBytes(StandardCharsets.UTF_8);
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has SHA-256", e);
        }
    }

    private static ObjectNode document(Manifest manifest) {
        Position position = manifest.position();
        ObjectNode node = Json.object();
        node.put("snapshotKind", manifest.snapshot().kind());
        node.put("snapshot", manifest.snapshot().text());
        node.put("positionKind", position == null ? null : position.kind());
        node.put("position", position == null ? null : position.text());
        node.put("consistency", manifest.consistency().name());
        node.put("sourceCount", manifest.sourceCount());
        ArrayNode columns = node.putArray("columns");
        manifest.columns().forEach(columns::add);
        ArrayNode keys = node.putArray("keyColumns");
        manifest.keyColumns().forEach(keys::add);
        node.set("reading", ReadOptionsJson.write(manifest.reading()));
        ArrayNode expectation = node.putArray("expectation");
        for (Measure measure : manifest.expectation()) {
            expectation
                    .addObject()
                    .put("name", measure.name().toString())
                    .put("value", measure.value());
        }
        ArrayNode parts = node.putArray("parts");
        for (Manifest.Part part : manifest.parts()) {
            ObjectNode entry = parts.addObject();
            entry.put("id", part.id().value());
            entry.put("isNull", part.range().isNull());
            put(entry, "lower", part.range().lower());
            put(entry, "upper", part.range().upper());
            entry.put("expectedRows", part.expectedRows());
        }
        return node;
    }

    private static void put(ObjectNode node, String side, @Nullable Bound bound) {
        node.put(side + "Kind", bound == null ? null : bound.kind());
        node.put(side, bound == null ? null : bound.text());
    }
}
