package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.row.Balance;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Loss;
import io.weir.source.ChunkTotals;
import io.weir.source.PartitionRows;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.SourceSnapshot;
import io.weir.source.SplitOptions;
import io.weir.source.TableSpec;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A database of its own, and the source that reads it. */
final class Shop {
    static final long CHUNK_BYTES = 64L << 20;
    static final Duration SHORT_LOCK_TIMEOUT = Duration.ofMillis(300);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final TestDatabase database;

    Shop() {
        this(TestPostgres.shared().createDatabase());
    }

    private Shop(TestDatabase database) {
        this.database = database;
    }

    /** Another database of the same server, made by the test. */
    Shop sibling(String name) {
        return new Shop(new TestDatabase(
                database.host(), database.port(), name, database.user(), database.password()));
    }

    Source source() {
        return source(database.user(), database.password());
    }

    Source source(String user, @Nullable String password) {
        return PostgresSource.open(
                new SourceConfig("shop", database.url(), user, password), SHORT_LOCK_TIMEOUT);
    }

    SourceSnapshot snapshot(TableSpec... specs) {
        return source().openSnapshot(List.of(specs), 1);
    }

    /** The number of sessions of the source: none, as soon as the server saw them go. */
    String sessions() {
        Instant deadline = Instant.now().plus(PATIENCE);
        String count = "select count(*) from pg_stat_activity where application_name = 'weir'"
                + " and datname = current_database()";
        while (!database.text(count).equals("0") && Instant.now().isBefore(deadline)) {
            Thread.onSpinWait();
        }
        return database.text(count);
    }

    /** Waits until so many locks are waited for. */
    void awaitWaiters(int count) {
        Instant deadline = Instant.now().plus(PATIENCE);
        String waiters = "select count(*) from pg_locks where not granted and database ="
                + " (select oid from pg_database where datname = current_database())";
        while (!database.text(waiters).equals(Integer.toString(count))) {
            assertThat(Instant.now()).isBefore(deadline);
        }
    }

    /** Ends the one session of the source that meets a condition on {@code pg_stat_activity}. */
    void terminate(String condition) {
        assertThat(database.text("select count(pg_terminate_backend(pid, 5000))"
                        + " from pg_stat_activity where application_name = 'weir'"
                        + " and datname = current_database() and (" + condition + ")"))
                .isEqualTo("1");
    }

    /** Everything that a table delivers. */
    record Contents(List<List<@Nullable Object>> rows, List<ChunkTotals> chunks, int partitions) {
        Balance balance() {
            return chunks.stream().map(ChunkTotals::balance).reduce(Balance.ZERO, Balance::plus);
        }

        List<Loss> losses() {
            return chunks.stream().flatMap(chunk -> chunk.losses().stream()).toList();
        }

        List<@Nullable Object> column(int index) {
            List<@Nullable Object> values = new ArrayList<>();
            rows.forEach(row -> values.add(row.get(index)));
            return values;
        }
    }

    /** Reads a table at a new snapshot. */
    Contents read(TableSpec spec) {
        try (SourceSnapshot snapshot = snapshot(spec)) {
            return read(snapshot, spec, SplitOptions.DEFAULTS, CHUNK_BYTES);
        }
    }

    static Contents read(
            SourceSnapshot snapshot, TableSpec spec, SplitOptions options, long chunkBytes) {
        return read(snapshot, spec, snapshot.split(spec, options), chunkBytes);
    }

    /** Reads ranges that somebody planned. */
    static Contents read(
            SourceSnapshot snapshot, TableSpec spec, List<KeyRange> ranges, long chunkBytes) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<ChunkTotals> chunks = new ArrayList<>();
        for (KeyRange range : ranges) {
            try (PartitionRows partition =
                    snapshot.reader(0).read(spec.table(), snapshot.table(spec).schema(), range)) {
                while (!partition.exhausted()) {
                    try (ArrowReader chunk = partition.nextChunk(chunkBytes)) {
                        drain(chunk, rows);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    chunks.add(partition.totals());
                }
            }
        }
        return new Contents(rows, chunks, ranges.size());
    }

    static void drain(ArrowReader chunk, List<List<@Nullable Object>> rows) throws IOException {
        VectorSchemaRoot root = chunk.getVectorSchemaRoot();
        while (chunk.loadNextBatch()) {
            for (int row = 0; row < root.getRowCount(); row++) {
                List<@Nullable Object> values = new ArrayList<>();
                for (FieldVector vector : root.getFieldVectors()) {
                    Object value = vector.getObject(row);
                    values.add(value instanceof Text ? value.toString() : value);
                }
                rows.add(values);
            }
        }
    }
}
