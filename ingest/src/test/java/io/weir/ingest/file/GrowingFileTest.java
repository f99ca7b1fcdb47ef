package io.weir.ingest.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;
import io.weir.ingest.row.RoutedRows;
import io.weir.ingest.row.Row;
import io.weir.ingest.row.RowBuffer;
import io.weir.ingest.row.RowChunk;
import io.weir.table.LocalFileIO;
import io.weir.table.StagedFile;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Files that other threads write hold every row once, or tell why not. */
class GrowingFileTest {
    private static final int CHUNKS = 12;
    private static final int ROWS = 1_000;
    private static final RowSchema SCHEMA = new RowSchema(
            List.of(new Column(1, "word", "text", Types.StringType.get(), false, LossPolicy.FAIL)),
            List.of());

    @TempDir
    Path directory;

    private final RoutedRows rows = new RoutedRows(SCHEMA, PartitionBy.NOTHING);
    private final AtomicLong memory = new AtomicLong();
    private final Queue<byte[]> given = new ConcurrentLinkedQueue<>();

    private GrowingFile file(Path path) {
        return new GrowingFile(
                new LocalFileIO(),
                LocalFileIO.locationOf(path),
                SCHEMA,
                Route.NONE,
                memory,
                given::add);
    }

    private RowChunk chunk(int number) throws Exception {
        Row row = new Row(SCHEMA, false);
        for (int i = 0; i < ROWS; i++) {
            byte[] word = ("word " + number + " " + i).getBytes(StandardCharsets.UTF_8);
            row.reset();
            row.setBytes(0, word, 0, word.length);
            rows.add(row);
        }
        return rows.take(rows.last(), RowBuffer.room());
    }

    @Test
    void chunksBecomeOneRowGroupWithEveryRow() throws Exception {
        Path path = directory.resolve("rows.parquet");
        GrowingFile file = file(path);
        for (int i = 0; i < CHUNKS - 1; i++) {
            file.add(chunk(i));
        }
        StagedFile staged = GrowingFile.finish(file.end(chunk(CHUNKS - 1)));

        RoutedRows again = new RoutedRows(SCHEMA, PartitionBy.NOTHING);
        new RowFileReader(new LocalFileIO(), SCHEMA).read(LocalFileIO.locationOf(path), again);
        Balance balance = again.last().balance();
        assertThat(balance).isEqualTo(rows.last().balance());
        assertThat(balance.rows()).isEqualTo((long) CHUNKS * ROWS);
        assertThat(staged.rows()).isEqualTo((long) CHUNKS * ROWS);
        assertThat(staged.splitOffsets()).hasSize(1);
        assertThat(staged.bytes()).isEqualTo(Files.size(path));
        assertThat(memory).hasValue(0);
        assertThat(given).hasSize(CHUNKS);
    }

    @Test
    void whatGoesWrongBehindTheBackIsToldAtTheEnd() throws Exception {
        Path path = Files.createDirectory(directory.resolve("taken"));
        GrowingFile file = file(path);
        for (int i = 0; i < CHUNKS; i++) {
            file.add(chunk(i));
        }
        CompletableFuture<StagedFile> ended = file.end(chunk(CHUNKS));

        assertThatThrownBy(() -> GrowingFile.finish(ended))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("it exists");
        file.abandon();
        assertThat(path).isEmptyDirectory();
    }

    @Test
    void anAbandonedFileIsNotThere() throws Exception {
        GrowingFile open = file(directory.resolve("open.parquet"));
        open.add(chunk(0));
        open.abandon();
        GrowingFile ended = file(directory.resolve("ended.parquet"));
        ended.add(chunk(1));
        GrowingFile.finish(ended.end(chunk(2)));
        ended.abandon();
        file(directory.resolve("never.parquet")).abandon();

        assertThat(directory).isEmptyDirectory();
    }
}
