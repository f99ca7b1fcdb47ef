package io.weir.flow.load;

import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;
import io.weir.source.ChunkTotals;
import io.weir.source.PartitionRows;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.SourceTable;
import io.weir.source.SplitOptions;
import io.weir.source.TableInspection;
import io.weir.source.TableReader;
import io.weir.source.TableSpec;

import org.apache.arrow.vector.ipc.ArrowReader;

import java.util.List;
import java.util.Optional;

/** A real source that lets a test do something, or wait, while a worker reads. */
record HookedSource(Source source, Hook hook) implements Source {
    interface Hook {
        /** In the thread of the worker, before it reads a chunk. */
        default void chunk(KeyRange range, int index) {}

        /** In the thread that tells the worker to stop. */
        default void stopped(KeyRange range) {}
    }

    @Override
    public List<TableInspection> inspect(List<TableSpec> specs) {
        return source.inspect(specs);
    }

    @Override
    public SourceSnapshot openSnapshot(List<TableSpec> tables, int readers) {
        return new Snapshot(source.openSnapshot(tables, readers), hook);
    }

    @Override
    public SourceSnapshot joinSnapshot(SnapshotToken token, List<TableSpec> tables, int readers) {
        return new Snapshot(source.joinSnapshot(token, tables, readers), hook);
    }

    @Override
    public void close() {
        source.close();
    }

    private record Snapshot(SourceSnapshot snapshot, Hook hook) implements SourceSnapshot {
        @Override
        public SnapshotToken token() {
            return snapshot.token();
        }

        @Override
        public Optional<Position> position() {
            return snapshot.position();
        }

        @Override
        public Consistency consistency() {
            return snapshot.consistency();
        }

        @Override
        public SourceTable table(TableSpec spec) {
            return snapshot.table(spec);
        }

        @Override
        public List<KeyRange> split(TableSpec spec, SplitOptions options) {
            return snapshot.split(spec, options);
        }

        @Override
        public String sql(TableSpec spec, KeyRange range) {
            return snapshot.sql(spec, range);
        }

        @Override
        public List<Measure> expectation(TableSpec spec, List<MetricName> names) {
            return snapshot.expectation(spec, names);
        }

        @Override
        public TableReader reader(int index) {
            TableReader reader = snapshot.reader(index);
            return (table, schema, range, partitionBy, rowHash) ->
                    new Rows(reader.read(table, schema, range, partitionBy, rowHash), range, hook);
        }

        @Override
        public void check() {
            snapshot.check();
        }

        @Override
        public void close() {
            snapshot.close();
        }
    }

    private static final class Rows implements PartitionRows {
        private final PartitionRows rows;
        private final KeyRange range;
        private final Hook hook;
        private int chunk;

        Rows(PartitionRows rows, KeyRange range, Hook hook) {
            this.rows = rows;
            this.range = range;
            this.hook = hook;
        }

        @Override
        public ArrowReader nextChunk(long sourceBytesMax) {
            hook.chunk(range, chunk++);
            return rows.nextChunk(sourceBytesMax);
        }

        @Override
        public ChunkTotals totals() {
            return rows.totals();
        }

        @Override
        public Optional<WeirException> failure() {
            return rows.failure();
        }

        @Override
        public boolean exhausted() {
            return rows.exhausted();
        }

        @Override
        public long rowsRead() {
            return rows.rowsRead();
        }

        @Override
        public long bytesRead() {
            return rows.bytesRead();
        }

        @Override
        public void stop() {
            rows.stop();
            hook.stopped(range);
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
