package io.weir.ledger.chunk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import io.weir.core.json.Json;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.LossJson;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * New chunks of one claim in an event, told together: {@code chunks/0003/1} has an array for each
 * column, in the order of {@code chunk_index}; a column whose value is the same in all of them has
 * that value instead, and none if it is null. Most of what a batch of reports writes is its event,
 * and most of that would be names said again and again.
 */
public final class ChunkBatch {
    private static final Pattern NAME = Pattern.compile("chunks/[^/]+/[0-9]{1,18}");
    private static final String INDEX = "chunk_index";

    private static final Map<String, Column<?>> COLUMNS = columns();

    private ChunkBatch() {}

    private static Map<String, Column<?>> columns() {
        Map<String, Column<?>> columns = new LinkedHashMap<>();
        columns.put("bytes", numbers(row -> row.chunk().bytes()));
        columns.put("rows", numbers(row -> row.chunk().balance().rows()));
        columns.put("digest_sum", digests(row -> row.chunk().balance()));
        columns.put("measured_rows", numbers(row -> rows(row.chunk().measured())));
        columns.put("measured_digest_sum", digests(row -> row.chunk().measured()));
        columns.put("losses", new Column<>(ChunkRow::losses, LossJson::write));
        columns.put("last", new Column<>(row -> row.chunk().last(), BooleanNode::valueOf));
        columns.put("state", texts(row -> row.chunk().state().name()));
        return columns;
    }

    /** Values are compared before they become JSON: most are the same in all rows. */
    private record Column<V>(Function<ChunkRow, @Nullable V> value, Function<V, JsonNode> json) {
        JsonNode of(List<ChunkRow> rows) {
            V first = value.apply(rows.get(0));
            if (rows.stream().allMatch(row -> Objects.equals(value.apply(row), first))) {
                return json(first);
            }
            ArrayNode values = Json.array();
            rows.forEach(row -> values.add(json(value.apply(row))));
            return values;
        }

        private JsonNode json(@Nullable V one) {
            return one == null ? NullNode.getInstance() : json.apply(one);
        }
    }

    private static Column<String> texts(Function<ChunkRow, @Nullable String> value) {
        return new Column<>(value, TextNode::valueOf);
    }

    private static Column<Long> numbers(Function<ChunkRow, @Nullable Long> value) {
        return new Column<>(value, LongNode::valueOf);
    }

    /** Sums as text: JSON numbers of 39 digits do not survive every reader. */
    private static Column<Balance> digests(Function<ChunkRow, @Nullable Balance> value) {
        return new Column<>(
                value, balance -> TextNode.valueOf(balance.digestSum().toString()));
    }

    /**
     * What new rows add to their event.
     *
     * @param rows of one claim, at least one
     */
    static RowChange added(List<ChunkRow> rows) {
        Chunk first = rows.get(0).chunk();
        ObjectNode fields = Json.object();
        ArrayNode indexes = fields.putArray(INDEX);
        rows.forEach(row -> indexes.add(row.chunk().index()));
        COLUMNS.forEach((name, column) -> {
            JsonNode values = column.of(rows);
            if (!values.isNull()) {
                fields.set(name, values);
            }
        });
        return new RowChange("chunks/" + first.partitionId() + "/" + first.epoch(), fields);
    }

    /** Whether a name in an event is that of several chunks. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * What an event says of each chunk, by its name, such as {@code chunk/0003/1/0}.
     *
     * @param name such as {@code chunks/0003/1}
     * @return fields as {@link ChunkColumns#added} gives them for one chunk
     */
    public static Map<String, ObjectNode> changes(String name, ObjectNode fields) {
        String claim = name.replaceFirst("chunks/", "chunk/");
        Map<String, ObjectNode> changes = new LinkedHashMap<>();
        JsonNode indexes = fields.path(INDEX);
        for (int i = 0; i < indexes.size(); i++) {
            int place = i;
            ObjectNode change = Json.object();
            COLUMNS.keySet().forEach(column -> {
                JsonNode value = value(fields.path(column), place);
                if (!value.isMissingNode() && !value.isNull()) {
                    change.set(column, value);
                }
            });
            changes.put(claim + "/" + indexes.get(place).asInt(), change);
        }
        return changes;
    }

    private static JsonNode value(JsonNode column, int place) {
        return column.isArray() ? column.path(place) : column;
    }

    private static @Nullable Long rows(@Nullable Balance balance) {
        return balance == null ? null : (Long) balance.rows();
    }
}
