package io.weir.flow.replicate;

import io.weir.capture.SlotSnapshot;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.SourceTable;
import io.weir.source.SplitOptions;
import io.weir.source.TableInspection;
import io.weir.source.TableReader;
import io.weir.source.TableSpec;

import java.util.List;
import java.util.Optional;

/**
 * A source of which one state is read: that of a slot. Once every reader has joined, the session
 * of the slot is let go.
 */
final class JoinedSource implements Source {
    private final Source source;
    private final SlotSnapshot state;

    JoinedSource(Source source, SlotSnapshot state) {
        this.source = source;
        this.state = state;
    }

    @Override
    public List<TableInspection> inspect(List<TableSpec> specs) {
        return source.inspect(specs);
    }

    @Override
    public SourceSnapshot openSnapshot(List<TableSpec> tables, int readers) {
        SourceSnapshot joined = source.joinSnapshot(state.token(), tables, readers);
        state.close();
        return new Joined(joined, state.position());
    }

    @Override
    public SourceSnapshot joinSnapshot(SnapshotToken token, List<TableSpec> tables, int readers) {
        return source.joinSnapshot(token, tables, readers);
    }

    @Override
    public void close() {}

    /** A joined state of which the place is known all the same. */
    private record Joined(SourceSnapshot snapshot, Position at) implements SourceSnapshot {
        @Override
        public SnapshotToken token() {
            return snapshot.token();
        }

        @Override
        public Optional<Position> position() {
            return Optional.of(at);
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
            return snapshot.reader(index);
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
}
