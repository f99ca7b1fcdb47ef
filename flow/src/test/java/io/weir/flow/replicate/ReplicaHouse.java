package io.weir.flow.replicate;

import io.weir.capture.Capture;
import io.weir.capture.CaptureSpec;
import io.weir.capture.Captures;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.row.RowSchema;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.engine.MergeStrategy;
import io.weir.engine.QueryTable;
import io.weir.flow.load.Cancellation;
import io.weir.flow.load.LoadFlow;
import io.weir.flow.load.LoadJob;
import io.weir.flow.load.LoadListener;
import io.weir.flow.load.LoadSettings;
import io.weir.flow.merge.WindowMerge;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.ledger.replica.LogPlace;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaBooks;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.SourceTable;
import io.weir.source.Sources;
import io.weir.source.TableSpec;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;
import io.weir.table.LocalFileIO;
import io.weir.table.ReplicaTable;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A source with published tables, a ledger and a lake, all real, and a job that joins them. */
final class ReplicaHouse implements AutoCloseable {
    static final ReplicateListener SILENT = new ReplicateListener() {};
    static final List<String> TABLES = List.of("orders", "customers", "items");
    private static final long ENGINE_BYTES = 512L << 20;
    private static final Duration LEASE = Duration.ofSeconds(30);

    final TestDatabase source;
    final TestDatabase books;
    final PostgresLedger ledger;
    final LakeCatalog catalog;
    final Engine engine;
    final Capture capture;
    final Cancellation cancellation = new Cancellation();
    final Path directory;
    long freeBytes = ENGINE_BYTES;
    int cutsKept = ReplicateJob.CUTS_KEPT_DEFAULT;

    @Nullable
    Duration lagMax;

    private final SourceConfig config;
    private final CatalogConfig lake;

    ReplicaHouse(Path directory) {
        this(TestPostgres.shared().createDatabase(), directory);
    }

    /** With an empty source. */
    ReplicaHouse(TestDatabase source, Path directory) {
        this(source, TestPostgres.shared().createDatabase(), directory);
        furnish();
    }

    /** What is there already: for programs that share a house. */
    ReplicaHouse(TestDatabase source, TestDatabase books, Path directory) {
        this.source = source;
        this.books = books;
        this.directory = directory;
        this.config = new SourceConfig("shop", source.url(), source.user(), source.password());
        this.capture = Captures.of(config);
        this.ledger = PostgresLedger.open(
                books.url(),
                books.user(),
                books.password(),
                LedgerSettings.DEFAULTS.withGrace(Duration.ZERO));
        this.lake = new CatalogConfig(
                "weir",
                books.url(),
                books.user(),
                books.password(),
                LocalFileIO.locationOf(directory.resolve("lake")));
        this.catalog = LakeCatalog.open(lake);
        this.engine = Engine.open(new EngineConfig(ENGINE_BYTES, 2, directory.resolve("tmp")));
    }

    private void furnish() {
        for (String table : TABLES) {
            source.execute(
                    "create table " + table + " (id int primary key, version bigint not null,"
                            + " price numeric(8,2), code uuid, pad text)",
                    "alter table " + table + " replica identity full",
                    "insert into " + table + " select i, 0, i * 0.5, gen_random_uuid(),"
                            + " 'pad ' || i from generate_series(1, 100) i");
        }
        source.execute("create publication weir_shop for table " + String.join(", ", TABLES));
    }

    ReplicateJob job() {
        return job(MergeStrategy.ROW_HASH, Initial.SNAPSHOT, TABLES);
    }

    ReplicateJob job(MergeStrategy merge, Initial initial, List<String> tables) {
        return job(merge, initial, tables, Duration.ofHours(1));
    }

    /** Windows without a pause. */
    ReplicateJob continuous() {
        return job(MergeStrategy.ROW_HASH, Initial.SNAPSHOT, TABLES, Duration.ZERO);
    }

    ReplicateJob job(MergeStrategy merge, Initial initial, List<String> tables, Duration every) {
        return new ReplicateJob(
                "shop",
                "shop",
                tables.stream()
                        .map(table -> new ReplicateTable(
                                TableSpec.of("public." + table),
                                "sales." + table,
                                PartitionBy.NOTHING))
                        .toList(),
                "weir_shop",
                "weir_" + source.name(),
                every,
                merge,
                initial,
                null,
                null,
                CaptureSpec.SLOT_BYTES_MAX,
                cutsKept,
                lagMax);
    }

    /** Goes on from targets that are filled, as of a place or a time if one is known. */
    ReplicateJob fromTables(@Nullable LogPlace place, @Nullable Instant time) {
        ReplicateJob job = job(MergeStrategy.ROW_HASH, Initial.FROM_TABLE, TABLES);
        return new ReplicateJob(
                job.name(),
                job.source(),
                job.tables(),
                job.publication(),
                job.slot(),
                job.every(),
                job.merge(),
                job.initial(),
                place,
                time,
                job.slotBytesMax(),
                job.cutsKept(),
                job.lagMax());
    }

    ReplicateFlow flow() {
        return flow(cancellation, LEASE);
    }

    ReplicateFlow flow(Cancellation stop, Duration lease) {
        return new ReplicateFlow(
                ledger,
                ledger,
                replicas(),
                catalog,
                engine,
                new ReplicateSettings(
                        LoadSettings.of("test", 2)
                                .withPatience(Duration.ofSeconds(20))
                                .withLease(lease),
                        2,
                        () -> freeBytes,
                        directory.resolve("buffers"),
                        100_000),
                UUID::randomUUID,
                () -> 0,
                InstantSource.system(),
                stop);
    }

    ReplicaBooks replicas() {
        return ledger.replicas();
    }

    ReplicateReport once() {
        return once(job(), SILENT);
    }

    ReplicateReport once(ReplicateJob job, ReplicateListener listener) {
        try (Source tables = Sources.open(config)) {
            return flow().once(job, tables, capture, listener);
        }
    }

    /** Loads tables as {@code weir load} does. */
    void load(List<LoadJob> jobs) {
        try (Source tables = Sources.open(config)) {
            new LoadFlow(
                            ledger,
                            ledger,
                            catalog,
                            engine,
                            LoadSettings.of("test", 2),
                            UUID::randomUUID,
                            cancellation)
                    .load(tables, jobs, "full", new LoadListener() {});
        }
    }

    void forever(ReplicateJob job, Cancellation stop, ReplicateListener listener) {
        forever(job, stop, LEASE, listener);
    }

    void forever(ReplicateJob job, Cancellation stop, Duration lease, ReplicateListener listener) {
        try (Source tables = Sources.open(config)) {
            flow(stop, lease).forever(job, tables, capture, listener);
        }
    }

    /** Hourly windows under a lease so short that a wish is seen soon. */
    void flowWithShortLease(ReplicateListener listener) {
        try (Source tables = Sources.open(config)) {
            flow(cancellation, Duration.ofSeconds(1)).forever(job(), tables, capture, listener);
        }
    }

    Replica replica(String table) {
        return replicas().replica("sales." + table);
    }

    /** The balance that the target says it has, if its rows say the same. */
    Balance lake(String table) {
        ReplicaTable target = catalog.replica("sales." + table);
        Balance said = target.state().balance();
        Balance measured = new WindowMerge(engine)
                .measure(target, target.state().snapshotId())
                .balance();
        if (!said.equals(measured)) {
            throw new AssertionError(table + " says " + said + " and has " + measured);
        }
        return said;
    }

    /** The lake as another engine sees it. */
    ForeignEngine foreign() {
        return new ForeignEngine(lake, books);
    }

    /** A table as any other engine finds it. */
    void iceberg(String table, Consumer<Table> use) {
        try (ForeignEngine engine = foreign()) {
            use.accept(engine.table("sales." + table));
        }
    }

    /** Another engine appends a copy of a file of ours. */
    void appendForeign(String table) {
        try (ForeignEngine engine = foreign()) {
            engine.appendCopy("sales." + table);
        }
    }

    /** Another engine puts all rows into one file. */
    void compactForeign(String table, UnaryOperator<List<Record>> kept) {
        try (ForeignEngine engine = foreign()) {
            engine.compact("sales." + table, kept);
        }
    }

    /** The first value of the first row of a query over the replicated tables. */
    String query(String sql) {
        Map<String, QueryTable> tables = new LinkedHashMap<>();
        for (String table : TABLES) {
            ReplicaTable target = catalog.replica("sales." + table);
            tables.put(
                    target.target(),
                    new QueryTable(
                            target.rows(),
                            target.filesOf(target.lake().currentSnapshotId()).stream()
                                    .map(file -> new QueryTable.File(
                                            LocalFileIO.pathOf(file.file().path()), file.deleted()))
                                    .toList()));
        }
        return String.valueOf(engine.query(sql, tables).rows().get(0).get(0));
    }

    /** The balance of a table of the source now. */
    Balance sourced(String name) {
        TableSpec table = TableSpec.of("public." + name);
        try (Source tables = Sources.open(config)) {
            SourceTable live = tables.inspect(table).tableOrThrow();
            RowSchema rows = catalog.prepareReplica(
                            "sales." + name, live.columns(), live.primaryKey(), PartitionBy.NOTHING)
                    .rows();
            return SourceBalance.of(tables, table, rows);
        }
    }

    /** Tables whose rows in the lake are not those of the source now. */
    List<String> different() {
        List<String> found = new ArrayList<>();
        for (String table : TABLES) {
            if (!lake(table).equals(sourced(table))) {
                found.add(table);
            }
        }
        return found;
    }

    /** Whether the source keeps its log for the job. */
    boolean hasSlot() {
        return capture.hasSlot(job().spec(List.of(TableSpec.of("public.orders"))));
    }

    /** The server sees the end of a stream a moment later. */
    void awaitFreeSlot() {
        String active = "select count(*) from pg_replication_slots where active and slot_name = '"
                + job().slot() + "'";
        while (!source.text(active).equals("0")) {
            Thread.onSpinWait();
        }
    }

    /** Everybody who held a job or a run is taken for dead. */
    void endLeases() {
        for (String table : List.of("run", "partition", "snapshot_holder", "loop", "replication")) {
            books.execute("update weir." + table
                    + " set lease_until = clock_timestamp() - interval '1 second'"
                    + " where lease_until is not null");
        }
    }

    @Override
    public void close() {
        engine.close();
        catalog.close();
        ledger.close();
        awaitFreeSlot();
        source.execute("select pg_drop_replication_slot(slot_name) from pg_replication_slots"
                + " where database = current_database() and not active and not temporary");
    }
}
