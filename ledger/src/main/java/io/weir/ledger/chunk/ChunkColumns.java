package io.weir.ledger.chunk;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.run.Chunk;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;
import io.weir.ledger.sql.LossJson;

import java.util.List;

/** A chunk as columns, for its table and its events. */
public final class ChunkColumns {
    private ChunkColumns() {}

    public static Columns of(ChunkRow row) {
        Chunk chunk = row.chunk();
        return new Columns()
                .set("run_id", chunk.runId().value())
                .set("partition_id", chunk.partitionId().value())
                .set("epoch", chunk.epoch())
                .set("chunk_index", chunk.index())
                .set("bytes", chunk.bytes())
                .setBalance("", chunk.balance())
                .setBalance("measured_", chunk.measured())
                .set("losses", LossJson.write(row.losses()))
                .set("last", chunk.last())
                .set("state", chunk.state().name());
    }

    /**
     * What new rows add to their event: several {@linkplain ChunkBatch together}.
     *
     * @param rows of one claim
     */
    public static List<RowChange> added(List<ChunkRow> rows) {
        return rows.size() > 1
                ? List.of(ChunkBatch.added(rows))
                : rows.stream().map(ChunkColumns::added).toList();
    }

    /**
     * What a new row adds to its event. There are more of these than of all others together, so
     * they are short: without nulls, and without the columns that the name of the row says.
     */
    public static RowChange added(ChunkRow row) {
        Chunk chunk = row.chunk();
        Columns columns = new Columns().set("bytes", chunk.bytes()).setBalance("", chunk.balance());
        if (chunk.measured() != null) {
            columns.setBalance("measured_", chunk.measured());
        }
        columns.set("losses", LossJson.write(row.losses()))
                .set("last", chunk.last())
                .set("state", chunk.state().name());
        return new RowChange(name(chunk), columns.document());
    }

    /**
     * The columns that the name of a row says.
     *
     * @param name such as {@code chunk/0003/1/0}
     */
    public static ObjectNode named(RunId runId, String name) {
        String[] parts = name.split("/", -1);
        return Json.object()
                .put("run_id", runId.toString())
                .put("partition_id", parts[1])
                .put("epoch", Long.parseLong(parts[2]))
                .put("chunk_index", Integer.parseInt(parts[3]));
    }

    /** What a change adds to its event: the columns that differ. */
    public static RowChange changed(ChunkRow before, ChunkRow after) {
        return new RowChange(name(after.chunk()), of(after).difference(of(before)));
    }

    private static String name(Chunk chunk) {
        return "chunk/" + chunk.partitionId() + "/" + chunk.epoch() + "/" + chunk.index();
    }
}
