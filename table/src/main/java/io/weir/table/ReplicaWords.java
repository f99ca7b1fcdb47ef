package io.weir.table;

import io.weir.core.row.Column;

import org.apache.iceberg.Schema;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateProperties;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The words that a replicated table carries: which column is its digest, and its positions. */
final class ReplicaWords {
    private static final String ROW_HASH_FIELD = "weir.row-hash.field";
    private static final String MERGED_PLACE = "weir.merged.place";
    private static final String MERGED_POSITION = "weir.merged.position";
    private static final String MERGED_SNAPSHOT = "weir.merged.snapshot";
    private static final String MERGED_EXACT = "weir.merged.exact";
    private static final String VERIFIED_PLACE = "weir.verified.place";
    private static final String VERIFIED_POSITION = "weir.verified.position";
    private static final String FIRST_SNAPSHOT = "weir.first.snapshot";
    private static final String FIRST_PLACE = "weir.first.place";
    private static final String FIRST_POSITION = "weir.first.position";
    private static final String FIRST_EXACT = "weir.first.exact";

    private ReplicaWords() {}

    /** What makes a table of these columns a replicated one. */
    static Map<String, String> properties(Schema schema, List<Column> columns) {
        int rowHashField = schema.findField(ReplicaTable.ROW_HASH).fieldId();
        Map<String, String> properties = new HashMap<>(TargetSchema.sourceMarks(schema, columns));
        properties.put("format-version", "3");
        properties.put(ROW_HASH_FIELD, Integer.toString(rowHashField));
        properties.put("write.delete.mode", "merge-on-read");
        properties.put("write.update.mode", "merge-on-read");
        properties.put("write.merge.mode", "merge-on-read");
        return properties;
    }

    /** The field id of the column that holds digests; 0 in a table that has none. */
    static int rowHashField(TableMetadata metadata) {
        return (int) SnapshotSummary.number(metadata.properties().get(ROW_HASH_FIELD));
    }

    static LogPosition merged(Map<String, String> words) {
        return position(words, MERGED_PLACE, MERGED_POSITION).orElse(LogPosition.NONE);
    }

    static LogPosition verified(Map<String, String> words) {
        return position(words, VERIFIED_PLACE, VERIFIED_POSITION).orElse(LogPosition.NONE);
    }

    static boolean exact(Map<String, String> words) {
        return Boolean.parseBoolean(words.getOrDefault(MERGED_EXACT, "true"));
    }

    /** The snapshot whose rows the merged position speaks of; null before there is one. */
    static @Nullable Long mergedSnapshot(Map<String, String> words) {
        String text = words.get(MERGED_SNAPSHOT);
        return text == null ? null : Long.valueOf(text);
    }

    /** The position that a snapshot was staged with. */
    static Optional<LogPosition> staged(Map<String, String> summary) {
        return position(summary, MERGED_PLACE, MERGED_POSITION);
    }

    /** The position that loaded rows had, if it is this snapshot that loaded them. */
    static Optional<LogPosition> first(Map<String, String> words, long snapshotId) {
        return Long.toString(snapshotId).equals(words.get(FIRST_SNAPSHOT))
                ? position(words, FIRST_PLACE, FIRST_POSITION)
                : Optional.empty();
    }

    static boolean firstExact(Map<String, String> words) {
        return Boolean.parseBoolean(words.getOrDefault(FIRST_EXACT, "true"));
    }

    private static Optional<LogPosition> position(
            Map<String, String> words, String placeKey, String textKey) {
        String place = words.get(placeKey);
        return place == null
                ? Optional.empty()
                : Optional.of(
                        new LogPosition(Long.parseLong(place), words.getOrDefault(textKey, "")));
    }

    static void enter(SnapshotUpdate<?> update, LogPosition merged) {
        update.set(MERGED_PLACE, Long.toString(merged.place()));
        update.set(MERGED_POSITION, merged.text());
    }

    static void enter(
            UpdateProperties properties, long snapshotId, LogPosition merged, boolean exact) {
        properties.set(MERGED_SNAPSHOT, Long.toString(snapshotId));
        properties.set(MERGED_PLACE, Long.toString(merged.place()));
        properties.set(MERGED_POSITION, merged.text());
        properties.set(MERGED_EXACT, Boolean.toString(exact));
    }

    static void enterFirst(
            UpdateProperties properties, long snapshotId, LogPosition merged, boolean exact) {
        properties.set(FIRST_SNAPSHOT, Long.toString(snapshotId));
        properties.set(FIRST_PLACE, Long.toString(merged.place()));
        properties.set(FIRST_POSITION, merged.text());
        properties.set(FIRST_EXACT, Boolean.toString(exact));
    }

    static void enterVerified(UpdateProperties properties, LogPosition verified) {
        properties.set(VERIFIED_PLACE, Long.toString(verified.place()));
        properties.set(VERIFIED_POSITION, verified.text());
    }

    /** A published snapshot brings its position with it; that of a load has none. */
    static void enterPublished(
            UpdateProperties properties, long snapshotId, Map<String, String> summary) {
        staged(summary).ifPresent(position -> {
            enter(properties, snapshotId, position, true);
            enterVerified(properties, position);
        });
    }
}
