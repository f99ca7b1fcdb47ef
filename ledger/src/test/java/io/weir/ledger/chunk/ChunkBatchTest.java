package io.weir.ledger.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkFile;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Event;
import io.weir.core.run.Loss;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.event.EventFold;
import io.weir.ledger.event.RowChange;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Goal: chunks told together say of each what its own event would. */
class ChunkBatchTest {
    private static final RunId RUN = new RunId(new UUID(0, 1));
    private static final PartitionId ID = new PartitionId("0003");

    @Test
    void saysOnceWhatIsTheSameInAll() {
        RowChange change = ChunkColumns.added(
                        List.of(row(4, 10, 1, List.of(), false), row(7, 20, 1, List.of(), false)))
                .get(0);

        assertThat(change.row()).isEqualTo("chunks/0003/2");
        assertThat(Json.line(change.fields()))
                .isEqualTo("{\"chunk_index\":[4,7],\"bytes\":[10,20],\"rows\":1,"
                        + "\"digest_sum\":\"7\",\"losses\":{},\"last\":false,"
                        + "\"state\":\"WRITTEN\"}");
        assertThat(ChunkBatch.isName(change.row())).isTrue();
    }

    @Test
    void isEachChunkAgain() {
        List<ChunkRow> rows = List.of(
                row(0, 10, 3, List.of(new Loss("price", 1)), false),
                row(1, 0, 0, List.of(), false),
                row(2, 10, 5, List.of(new Loss("price", 2)), true));
        Map<String, ObjectNode> alone = new LinkedHashMap<>();
        rows.forEach(row -> {
            RowChange change = ChunkColumns.added(row);
            alone.put(change.row(), change.fields());
        });
        RowChange together = ChunkColumns.added(rows).get(0);

        assertThat(ChunkBatch.changes(together.row(), together.fields())).isEqualTo(alone);
        assertThat(alone).containsOnlyKeys("chunk/0003/2/0", "chunk/0003/2/1", "chunk/0003/2/2");
    }

    @Test
    void oneChunkKeepsItsOwnName() {
        ChunkRow row = row(0, 10, 3, List.of(), true);

        assertThat(ChunkColumns.added(List.of(row))).containsExactly(ChunkColumns.added(row));
        assertThat(ChunkBatch.isName("chunk/0003/2/0")).isFalse();
        assertThat(ChunkColumns.added(List.of())).isEmpty();
    }

    /** Goal: what ledgers said before of where files lie is left out; it follows. */
    @Test
    void readsEventsThatNameFiles() {
        Map<String, ObjectNode> rows = EventFold.fold(List.of(event("""
                        {"chunk/0003/2/0": {"path": "file:///lake/a", "bytes": 10, "rows": 3}}
                        """), event("""
                        {"chunks/0003/2": {"chunk_index": [1, 2], "directory": "file:///lake/",
                            "file": ["b", "c"], "bytes": [10, 20], "rows": 1}}
                        """)));

        assertThat(rows.values())
                .extracting(Json::line)
                .containsExactly(chunk(0, 10, 3), chunk(1, 10, 1), chunk(2, 20, 1));
    }

    private static Event event(String details) {
        return new Event(
                1, Instant.EPOCH, RUN, ID, "CHUNKS_REPORTED", (ObjectNode) Json.parse(details));
    }

    private static String chunk(int index, long bytes, long rows) {
        return "{\"run_id\":\"" + RUN + "\",\"partition_id\":\"0003\",\"epoch\":2,\"chunk_index\":"
                + index + ",\"bytes\":" + bytes + ",\"rows\":" + rows + "}";
    }

    private static ChunkRow row(int index, long bytes, long rows, List<Loss> losses, boolean last) {
        return new ChunkRow(
                new Chunk(
                        RUN,
                        ID,
                        2,
                        index,
                        ChunkFile.path("file:///lake/p=0003/e=2/", ID, index, bytes),
                        bytes,
                        new Balance(rows, 0, 7 * rows),
                        null,
                        last,
                        ChunkState.WRITTEN),
                losses);
    }
}
