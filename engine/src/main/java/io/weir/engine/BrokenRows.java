package io.weir.engine;

import io.weir.core.row.Column;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Finds the values of the rows that a window breaks at: people do not read digests. */
final class BrokenRows {
    private static final Logger LOG = LoggerFactory.getLogger(BrokenRows.class);
    private static final int COLUMNS_MAX = 10;
    private static final int VALUE_MAX = 200;

    private final MergeSession session;
    private final MergeInput input;
    private final MergeChanges changes;
    private final MergeLocation location;

    BrokenRows(
            MergeSession session, MergeInput input, MergeChanges changes, MergeLocation location) {
        this.session = session;
        this.input = input;
        this.changes = changes;
        this.location = location;
    }

    /** A value cut to what people read, and what tells it from others. */
    private record Value(String shown, String fingerprint) {}

    /** The same with values of the columns in which the rows differ, where they can be had. */
    MergeResult.Broken readable(MergeResult.Broken broken) {
        Map<String, Value> expected = row(broken.expectedRow());
        Map<String, Value> found = row(broken.foundRow());
        return broken.saying(
                text(expected, found, broken.expected()), text(found, expected, broken.found()));
    }

    /** A row with its values, as far as they can be had. */
    String row(UUID digest, String without) {
        return text(row(digest), Map.of(), without);
    }

    private static String text(Map<String, Value> row, Map<String, Value> other, String without) {
        List<String> parts = new ArrayList<>();
        row.forEach((column, value) -> {
            if (!value.equals(other.get(column))) {
                parts.add(column + "=" + value.shown());
            }
        });
        if (parts.isEmpty()) {
            return without;
        }
        int more = parts.size() - COLUMNS_MAX;
        return "{" + String.join(", ", parts.subList(0, Math.min(parts.size(), COLUMNS_MAX)))
                + (more > 0 ? ", and " + more + " more" : "") + "}";
    }

    /** Empty if there is no such row, or nobody has its values any more. */
    private Map<String, Value> row(@Nullable UUID digest) {
        try {
            return digest == null ? Map.of() : lookUp(digest);
        } catch (SQLException e) {
            // The stop stands with digests alone; an error here must not take its place.
            LOG.atWarn().addKeyValue("reason", e.toString()).log("Values of a stop not found");
            return Map.of();
        }
    }

    private Map<String, Value> lookUp(UUID digest) throws SQLException {
        List<Column> columns = input.rows().columns();
        for (String query : List.of(
                changes.imageOf("before", digest),
                changes.imageOf("after", digest),
                stored(columns, digest))) {
            List<List<@Nullable Object>> rows =
                    session.rows("SELECT " + fields(columns) + " FROM (" + query + " LIMIT 1) s");
            if (!rows.isEmpty()) {
                return values(columns, rows.get(0));
            }
        }
        return Map.of();
    }

    private String stored(List<Column> columns, UUID digest) {
        List<Column> all = new ArrayList<>(columns);
        all.add(input.rowHash());
        return "SELECT * FROM (" + location.all(all) + ") WHERE "
                + DuckdbSql.scanName(input.rowHash()) + " = '" + digest + "'";
    }

    private static String fields(List<Column> columns) {
        List<String> fields = new ArrayList<>();
        for (Column column : columns) {
            String text = DuckdbSql.scanName(column) + "::VARCHAR";
            fields.add("left(" + text + ", " + (VALUE_MAX + 1) + "), md5(" + text + ")");
        }
        return String.join(", ", fields);
    }

    private static Map<String, Value> values(List<Column> columns, List<@Nullable Object> row) {
        Map<String, Value> values = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            Object text = row.get(2 * i);
            values.put(
                    columns.get(i).name(),
                    new Value(
                            text == null ? "NULL" : shown(text.toString()),
                            Objects.toString(row.get(2 * i + 1))));
        }
        return values;
    }

    private static String shown(String text) {
        String cut = text.length() > VALUE_MAX ? text.substring(0, VALUE_MAX) + "…" : text;
        return cut.replaceAll("\\p{Cntrl}", " ");
    }
}
