package io.weir.ledger.chunk;

import io.weir.core.run.Chunk;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.sql.Columns;
import io.weir.ledger.sql.LossJson;

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
                .set("path", chunk.path())
                .set("bytes", chunk.bytes())
                .setBalance("", chunk.balance())
                .setBalance("measured_", chunk.measured())
                .set("losses", LossJson.write(row.losses()))
                .set("last", chunk.last())
                .set("state", chunk.state().name());
    }

    /** What a new row adds to its event. */
    public static RowChange added(ChunkRow row) {
        return new RowChange(name(row.chunk()), of(row).difference(null));
    }

    /** What a change adds to its event: the columns that differ. */
    public static RowChange changed(ChunkRow before, ChunkRow after) {
        return new RowChange(name(after.chunk()), of(after).difference(of(before)));
    }

    private static String name(Chunk chunk) {
        return "chunk/" + chunk.partitionId() + "/" + chunk.epoch() + "/" + chunk.index();
    }
}
