package io.weir.source.postgresql;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;
import io.weir.source.SourceSnapshot;
import io.weir.source.SourceTable;
import io.weir.source.SplitOptions;
import io.weir.source.SplitProof;
import io.weir.source.TableReader;
import io.weir.source.TableSpec;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** An exported snapshot: the coordinator holds it and plans, readers hold it and read. */
final class PostgresSnapshot implements SourceSnapshot {
    /** A parallel plan passes partial results on as one row, which has a limited width. */
    private static final int PARALLEL_METRICS_MAX = 1_000;

    private static final String NOT_PARALLEL = "set local max_parallel_workers_per_gather = 0";

    private final SnapshotToken token;
    private final Optional<Position> position;
    private final Map<TableSpec, SnapshotTable> tables;
    private final Inspector inspector;
    private final PostgresSession coordinator;
    private final List<PostgresReader> readers;
    private final BufferAllocator allocator = new RootAllocator();
    private final ReentrantLock coordinating = new ReentrantLock();

    PostgresSnapshot(
            SnapshotToken token,
            Optional<Position> position,
            Map<TableSpec, SnapshotTable> tables,
            Inspector inspector,
            PostgresSession coordinator,
            List<PostgresSession> sessions) {
        this.token = token;
        this.position = position;
        this.tables = Map.copyOf(tables);
        this.inspector = inspector;
        this.coordinator = coordinator;
        Map<String, Relation> relations = new HashMap<>();
        tables.forEach((spec, table) -> relations.put(spec.table(), table.relation()));
        this.readers = sessions.stream()
                .map(session -> new PostgresReader(session, relations, allocator))
                .toList();
    }

    @Override
    public SnapshotToken token() {
        return token;
    }

    @Override
    public Optional<Position> position() {
        return position;
    }

    @Override
    public Consistency consistency() {
        return Consistency.SAME_SNAPSHOT;
    }

    @Override
    public SourceTable table(TableSpec spec) {
        return held(spec).table();
    }

    private SnapshotTable held(TableSpec spec) {
        SnapshotTable table = tables.get(spec);
        if (table == null) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "Cannot plan table " + spec.table() + ": the snapshot was not opened for it");
        }
        return table;
    }

    @Override
    public List<KeyRange> split(TableSpec spec, SplitOptions options) {
        SnapshotTable table = held(spec);
        Relation relation = table.relation();
        if (!inspector.isSplittable(relation)) {
            return SplitProof.proven(spec.table(), List.of(KeyRange.ALL), options.partitionsMax());
        }
        int blockBytes = inspector.server().blockBytes();
        List<Long> blocks = relation.members().stream()
                .map(member -> member.mainBytes() / blockBytes)
                .toList();
        return SplitProof.proven(
                spec.table(),
                CtidSplit.split(blocks, relation.tableBytes(), options),
                options.partitionsMax());
    }

    @Override
    public String sql(TableSpec spec, KeyRange range) {
        SnapshotTable table = held(spec);
        List<CatalogColumn> columns = table.table().columns().stream()
                .map(column -> table.relation().column(column.name()).orElseThrow())
                .toList();
        return CopySql.copy(table.relation().name(), columns, range, condition(spec, table));
    }

    private static String condition(TableSpec spec, SnapshotTable table) {
        return KeyedSql.of(table.relation(), spec, table.table().columns());
    }

    @Override
    public List<Measure> expectation(TableSpec spec, List<MetricName> names) {
        SnapshotTable table = held(spec);
        Expectation expectation = new Expectation(
                table.relation(), table.table(), inspector.server(), condition(spec, table));
        Activity measuring = Activity.onTable(
                "measure", table.relation().name(), coordinator.endpoint().user());
        return expectation.measures(
                names, measure(expectation.sql(names), names.size(), measuring));
    }

    private @Nullable String[] measure(String sql, int metrics, Activity measuring) {
        coordinating.lock();
        try {
            if (metrics > PARALLEL_METRICS_MAX) {
                coordinator.execute(NOT_PARALLEL, measuring);
            }
            return coordinator
                    .query(sql, measuring, row -> {
                        Array array = row.getArray(1);
                        return (@Nullable String[]) array.getArray();
                    })
                    .get(0);
        } finally {
            coordinating.unlock();
        }
    }

    @Override
    public TableReader reader(int index) {
        return readers.get(index);
    }

    @Override
    public void check() {
        if (coordinating.tryLock()) {
            try {
                coordinator.check(Activity.holding(coordinator.endpoint().source()));
            } finally {
                coordinating.unlock();
            }
        }
    }

    @Override
    public void close() {
        readers.forEach(PostgresReader::close);
        coordinator.close();
        allocator.close();
    }
}
