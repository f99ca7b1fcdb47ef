package io.weir.flow.merge;

import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;
import io.weir.core.run.RunId;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.engine.MergeShare;
import io.weir.engine.MergeStrategy;
import io.weir.engine.Uniqueness;
import io.weir.flow.changelog.ChangeLogs;
import io.weir.flow.changelog.LogSettings;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;
import io.weir.table.LocalFileIO;
import io.weir.table.LogPosition;
import io.weir.table.LogTable;
import io.weir.table.Published;
import io.weir.table.ReplicaState;
import io.weir.table.ReplicaTable;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A table with its change log, in a lake of its own; a witness reads what is published. */
final class MergeHouse implements AutoCloseable {
    static final String TARGET = "sales.t";
    static final List<Column> COLUMNS = List.of(
            column(1, "id", "integer", Types.IntegerType.get(), true),
            column(2, "name", "text", Types.StringType.get(), false),
            column(3, "qty", "integer", Types.IntegerType.get(), false));

    private static final TestDatabase DATABASE = TestPostgres.shared().createDatabase();
    private static final AtomicInteger LAKES = new AtomicInteger();
    private static final long ENGINE_BYTES = 512L << 20;

    final LakeCatalog catalog;
    final Engine engine;
    final ReplicaTable table;
    final LogTable log;
    final WindowMerge merge;
    private final String name = "merge" + LAKES.incrementAndGet();
    private final Path directory;
    private final JdbcCatalog foreign = new JdbcCatalog();
    private final RowSchema rows;
    private final ScriptedStream stream;
    private long place;
    private long epoch;
    private MergeStrategy strategy = MergeStrategy.ROW_HASH;
    private Uniqueness uniqueness = Uniqueness.INCREMENTAL;

    MergeHouse(Path directory) {
        this(directory, List.of("id"), PartitionBy.NOTHING);
    }

    MergeHouse(Path directory, List<String> key, PartitionBy partitionBy) {
        this.directory = directory;
        CatalogConfig config = new CatalogConfig(
                name,
                DATABASE.url(),
                DATABASE.user(),
                DATABASE.password(),
                LocalFileIO.locationOf(directory.resolve("lake")));
        this.catalog = LakeCatalog.open(config);
        this.engine = Engine.open(new EngineConfig(ENGINE_BYTES, 2, directory.resolve("tmp")));
        this.table = catalog.prepareReplica(TARGET, COLUMNS, key, partitionBy);
        this.rows = table.rows();
        this.log = catalog.prepareLog(TARGET + "_log", ScriptedStream.TABLE, rows);
        this.stream = new ScriptedStream(rows);
        this.merge = new WindowMerge(engine);
        foreign.initialize(
                name,
                Map.of(
                        "uri", config.catalogUrl(),
                        "jdbc.user", DATABASE.user(),
                        "jdbc.password", DATABASE.password(),
                        "jdbc.schema-version", "V1",
                        "warehouse", config.warehouse(),
                        "io-impl", LocalFileIO.class.getName()));
    }

    static Column column(int id, String name, String sourceType, Type type, boolean required) {
        return new Column(id, name, sourceType, type, required, LossPolicy.FAIL);
    }

    MergeHouse by(MergeStrategy wanted) {
        strategy = wanted;
        return this;
    }

    MergeHouse with(Uniqueness wanted) {
        uniqueness = wanted;
        return this;
    }

    /** A transaction at the source. Its changes are in the log when this returns. */
    LogPosition commit(String... changes) {
        place += 10;
        if (changes.length > 0) {
            stream.add(place, changes);
            LogSettings settings =
                    new LogSettings(1_000_000, Duration.ZERO, directory.resolve("buffers"));
            try (ChangeLogs keeper = new ChangeLogs(
                    stream,
                    Map.of(ScriptedStream.TABLE, log),
                    engine,
                    settings,
                    InstantSource.system(),
                    () -> {},
                    step -> {})) {
                keeper.run(stream::isEmpty);
            }
        }
        return position();
    }

    /** Where the source is now. */
    LogPosition position() {
        return new LogPosition(place, "0/" + place);
    }

    MergeOrder order(LogPosition from, LogPosition to) {
        return new MergeOrder(table, new LogTableFiles(log), strategy, uniqueness, from, to);
    }

    /** Merges everything that the table does not have. */
    MergeAnswer window() {
        return window(merge.state(table).merged(), position());
    }

    /** Merges a window and publishes it unless it stops. */
    MergeAnswer window(LogPosition from, LogPosition to) {
        PublishAttempt attempt = attempt();
        MergeAnswer answer = plan(order(from, to), attempt);
        if (answer instanceof MergePlan plan) {
            if (plan.delta().isEmpty()) {
                merge.pass(plan);
            } else {
                PublishAttempt staged = attempt.withStaged(merge.stage(attempt, plan));
                audit(staged, plan);
                Published published = merge.publish(staged, plan);
                if (published.outcome() != Published.Outcome.PUBLISHED) {
                    throw new IllegalStateException(published.reason());
                }
            }
        }
        return answer;
    }

    /** Audits with everything read when it was staged. */
    void audit(PublishAttempt staged, MergePlan plan) {
        try (ReadBack read = merge.readBack(plan)) {
            merge.audit(staged, plan, read);
        }
    }

    MergePlan published() {
        MergeAnswer answer = window();
        if (answer instanceof MergeStop stop) {
            throw stop.toException();
        }
        return (MergePlan) answer;
    }

    MergeStop stopped() {
        return (MergeStop) window();
    }

    MergeAnswer plan(MergeOrder order, PublishAttempt attempt) {
        return plan(order, attempt, engine.mergeShare());
    }

    MergeAnswer plan(MergeOrder order, PublishAttempt attempt, MergeShare share) {
        return merge.plan(
                order,
                attempt.baseSnapshotId(),
                table.lake().dataRoot() + "/run=" + attempt.runId() + "/e=" + attempt.epoch() + "/",
                share);
    }

    /** A new attempt on main as it is. */
    PublishAttempt attempt() {
        return new PublishAttempt(
                TARGET,
                ++epoch,
                new RunId(UUID.randomUUID()),
                UUID.randomUUID(),
                AttemptState.OPEN,
                table.lake().currentSnapshotId(),
                null,
                null);
    }

    /** The published rows in the order of their text, as Iceberg's own reader sees them. */
    List<String> rows() {
        List<String> found = new ArrayList<>();
        try (CloseableIterable<Record> records =
                IcebergGenerics.read(foreignTable()).build()) {
            for (Record record : records) {
                List<String> values = new ArrayList<>();
                for (Column column : rows.columns()) {
                    Object value = record.getField(column.name());
                    values.add(value == null ? "~" : value.toString());
                }
                found.add(String.join(" ", values));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.stream().sorted().toList();
    }

    /** Whether the books say what the files hold. */
    boolean balances() {
        ReplicaState state = table.state();
        return merge.measure(table, state.snapshotId()).balance().equals(state.balance());
    }

    /** The table as another writer sees it now. */
    Table foreignTable() {
        return foreign.loadTable(TableIdentifier.parse(TARGET));
    }

    int snapshots() {
        int count = 0;
        for (var ignored : foreignTable().snapshots()) {
            count++;
        }
        return count;
    }

    @Override
    public void close() {
        foreign.close();
        catalog.close();
        engine.close();
    }
}
