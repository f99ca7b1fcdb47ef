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
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * New chunks of one claim in an event, told together: {@code chunks/0003/1} has an array for each
 * column, in the order of {@code chunk_index}; a column whose value is the same in all of them has
 * that value instead, and none if it is null. Most of what a batch of reports writes is its event,
 * and most of that would be names and directories said again and again.
 */
public final class ChunkBatch {
    private static final Pattern NAME = Pattern.compile("chunks/[^/]+/[0-9]{1,18}");
    private static final String INDEX = "chunk_index";
    private static final String DIRECTORY = "directory";
    private static final String FILE = "file";

    private static final Map<String, Function<ChunkRow, JsonNode>> COLUMNS = columns();

    private ChunkBatch() {}

    private static Map<String, Function<ChunkRow, JsonNode>> columns() {
        Map<String, Function<ChunkRow, JsonNode>> columns = new LinkedHashMap<>();
        columns.put(DIRECTORY, row -> text(directory(row.chunk().path())));
        columns.put(FILE, row -> text(file(row.chunk().path())));
        columns.put("bytes", row -> LongNode.valueOf(row.chunk().bytes()));
        columns.put("rows", row -> rows(row.chunk().balance()));
        columns.put("digest_sum", row -> digestSum(row.chunk().balance()));
        columns.put("measured_rows", row -> rows(row.chunk().measured()));
        columns.put("measured_digest_sum", row -> digestSum(row.chunk().measured()));
        columns.put("losses", row -> LossJson.write(row.losses()));
        columns.put("last", row -> BooleanNode.valueOf(row.chunk().last()));
        columns.put("state", row -> text(row.chunk().state().name()));
        return columns;
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
        COLUMNS.forEach((name, value) -> {
            JsonNode column = column(rows, value);
            if (!column.isNull()) {
                fields.set(name, column);
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
            JsonNode directory = value(fields.path(DIRECTORY), place);
            JsonNode file = value(fields.path(FILE), place);
            if (file.isTextual()) {
                change.put("path", directory.asText() + file.asText());
            }
            COLUMNS.keySet().stream()
                    .filter(column -> !column.equals(DIRECTORY) && !column.equals(FILE))
                    .forEach(column -> {
                        JsonNode value = value(fields.path(column), place);
                        if (!value.isMissingNode() && !value.isNull()) {
                            change.set(column, value);
                        }
                    });
            changes.put(claim + "/" + indexes.get(place).asInt(), change);
        }
        return changes;
    }

    private static JsonNode column(List<ChunkRow> rows, Function<ChunkRow, JsonNode> value) {
        JsonNode first = value.apply(rows.get(0));
        ArrayNode values = Json.array();
        boolean same = true;
        for (ChunkRow row : rows) {
            JsonNode next = value.apply(row);
            same &= next.equals(first);
            values.add(next);
        }
        return same ? first : values;
    }

    private static JsonNode value(JsonNode column, int place) {
        return column.isArray() ? column.path(place) : column;
    }

    private static @Nullable String directory(@Nullable String path) {
        return path == null ? null : path.substring(0, path.lastIndexOf('/') + 1);
    }

    private static @Nullable String file(@Nullable String path) {
        return path == null ? null : path.substring(path.lastIndexOf('/') + 1);
    }

    private static JsonNode rows(@Nullable Balance balance) {
        return balance == null ? NullNode.getInstance() : LongNode.valueOf(balance.rows());
    }

    /** As text: JSON numbers of 39 digits do not survive every reader. */
    private static JsonNode digestSum(@Nullable Balance balance) {
        return text(balance == null ? null : balance.digestSum().toString());
    }

    private static JsonNode text(@Nullable String text) {
        return text == null ? NullNode.getInstance() : TextNode.valueOf(text);
    }
}
