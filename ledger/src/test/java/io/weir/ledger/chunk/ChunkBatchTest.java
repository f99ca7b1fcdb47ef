package io.weir.ledger.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.weir.core.json.Json;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Loss;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.ledger.event.RowChange;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Goal: chunks told together say of each what its own event would. */
class ChunkBatchTest {
    private static final RunId RUN = new RunId(new UUID(0, 1));
    private static final String DIRECTORY = "file:///lake/p=0003/e=2/";

    @Test
    void saysOnceWhatIsTheSameInAll() {
        RowChange change = ChunkColumns.added(List.of(
                        row(4, DIRECTORY + "a", 10, 1, List.of(), false),
                        row(7, DIRECTORY + "b", 20, 1, List.of(), false)))
                .get(0);

        assertThat(change.row()).isEqualTo("chunks/0003/2");
        assertThat(Json.line(change.fields()))
                .isEqualTo("{\"chunk_index\":[4,7],\"directory\":\"file:///lake/p=0003/e=2/\","
                        + "\"file\":[\"a\",\"b\"],\"bytes\":[10,20],\"rows\":1,"
                        + "\"digest_sum\":\"7\",\"losses\":{},\"last\":false,"
                        + "\"state\":\"WRITTEN\"}");
        assertThat(ChunkBatch.isName(change.row())).isTrue();
    }

    @Test
    void isEachChunkAgain() {
        List<ChunkRow> rows = List.of(
                row(0, DIRECTORY + "a", 10, 3, List.of(new Loss("price", 1)), false),
                row(1, null, 0, 0, List.of(), false),
                row(2, "s3://other/c", 10, 5, List.of(new Loss("price", 2)), true));
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
        ChunkRow row = row(0, DIRECTORY + "a", 10, 3, List.of(), true);

        assertThat(ChunkColumns.added(List.of(row))).containsExactly(ChunkColumns.added(row));
        assertThat(ChunkBatch.isName("chunk/0003/2/0")).isFalse();
        assertThat(ChunkColumns.added(List.of())).isEmpty();
    }

    private static ChunkRow row(
            int index,
            @Nullable String path,
            long bytes,
            long rows,
            List<Loss> losses,
            boolean last) {
        return new ChunkRow(
                new Chunk(
                        RUN,
                        new PartitionId("0003"),
                        2,
                        index,
                        path,
                        bytes,
                        new Balance(rows, 0, 7 * rows),
                        null,
                        last,
                        ChunkState.WRITTEN),
                losses);
    }
}
