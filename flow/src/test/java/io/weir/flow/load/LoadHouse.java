package io.weir.flow.load;

import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.MetricPlan;
import io.weir.core.publish.PublishMode;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.engine.QueryTable;
import io.weir.ledger.LedgerSettings;
import io.weir.ledger.PostgresLedger;
import io.weir.source.Source;
import io.weir.source.SourceConfig;
import io.weir.source.Sources;
import io.weir.source.TableSpec;
import io.weir.table.CatalogConfig;
import io.weir.table.FileEntry;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;
import io.weir.testkit.proxy.FaultProxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** A whole house for a test: source, ledger, catalog, lake and engine, all real, all empty. */
final class LoadHouse implements AutoCloseable {
    static final LoadListener SILENT = new LoadListener() {};
    static final LoadSettings SETTINGS =
            LoadSettings.of("test", 2).withPatience(Duration.ofSeconds(20));
    private static final long ENGINE_BYTES = 256L << 20;

    final TestDatabase shop = TestPostgres.shared().createDatabase();
    final TestDatabase books;
    final PostgresLedger ledger;
    final LakeCatalog catalog;
    final Engine engine;
    final Cancellation cancellation = new Cancellation();
    private final Path lake;

    LoadHouse(Path directory) {
        this(directory, directory.resolve("lake"));
    }

    LoadHouse(Path directory, Path lake) {
        this(directory, lake, TestPostgres.shared().createDatabase());
    }

    private LoadHouse(Path directory, Path lake, TestDatabase books) {
        this(directory, lake, books, books.url(), books.url());
    }

    /** Ledger and catalog are in the books, but may be reached another way. */
    LoadHouse(Path directory, Path lake, TestDatabase books, String ledgerUrl, String catalogUrl) {
        this.lake = lake;
        this.books = books;
        // Nothing that is lost is waited for: tests end leases by hand.
        this.ledger = PostgresLedger.open(
                ledgerUrl,
                books.user(),
                books.password(),
                LedgerSettings.DEFAULTS.withGrace(Duration.ZERO));
        this.catalog = LakeCatalog.open(new CatalogConfig(
                "weir", catalogUrl, books.user(), books.password(), LocalFileIO.locationOf(lake)));
        this.engine = Engine.open(new EngineConfig(ENGINE_BYTES, 2, directory.resolve("tmp")));
    }

    /** The way to a database that leads through a proxy. */
    static String through(FaultProxy proxy, TestDatabase database) {
        return "jdbc:postgresql://" + proxy.host() + ":" + proxy.port() + "/" + database.name();
    }

    Source source() {
        return Sources.open(new SourceConfig("shop", shop.url(), shop.user(), shop.password()));
    }

    LoadFlow flow() {
        return flow(ledger, SETTINGS);
    }

    LoadFlow flow(Ledger seen, LoadSettings settings) {
        return new LoadFlow(
                seen, ledger, catalog, engine, settings, UUID::randomUUID, cancellation);
    }

    LoadWorker worker(Source source, Cancellation stop) {
        return new LoadWorker(
                ledger,
                ledger,
                catalog,
                engine,
                Map.of("shop", source),
                LoadSettings.of("helper", 2).withPatience(Duration.ofSeconds(20)),
                UUID::randomUUID,
                stop);
    }

    /** One table of a job that may have several. */
    static LoadJob tableOf(String job, String table, PublishMode publish) {
        LoadJob alone = job(table, publish);
        return new LoadJob(
                job,
                alone.source(),
                alone.table(),
                alone.target(),
                alone.publish(),
                alone.verify(),
                alone.allowEmpty(),
                alone.partitionBytes(),
                alone.chunkBytes(),
                alone.partitionBy(),
                alone.recovery(),
                alone.timeout());
    }

    /** Small partitions and chunks, so that a few thousand rows make several of each. */
    static LoadJob job(String table, PublishMode publish) {
        return new LoadJob(
                table,
                "shop",
                TableSpec.of("public." + table),
                "sales." + table,
                publish,
                MetricPlan.Verify.METRICS,
                true,
                64 << 10,
                4 << 10);
    }

    RunDetail load(LoadJob job, String businessKey) {
        return load(job, businessKey, SILENT);
    }

    RunDetail load(LoadJob job, String businessKey, LoadListener listener) {
        try (Source source = source()) {
            return flow().load(source, List.of(job), businessKey, listener).get(0);
        }
    }

    /** Everybody who held a run, a claim, a snapshot or the sweeper is taken for dead. */
    void endLeases() {
        for (String table : List.of("run", "partition", "snapshot_holder", "loop")) {
            books.execute("update weir." + table
                    + " set lease_until = clock_timestamp() - interval '1 second'"
                    + " where lease_until is not null");
        }
    }

    String rows(String target) {
        return query(target, "select count(*) from " + target);
    }

    /** The first value of the first row of a query over one published table. */
    String query(String target, String sql) {
        LakeTable table = catalog.load(target);
        List<Path> files = table.filesOf(table.currentSnapshotId()).stream()
                .map(FileEntry::path)
                .map(LocalFileIO::pathOf)
                .toList();
        return String.valueOf(engine.query(
                        sql, Map.of(target, QueryTable.of(table.schema(), files)))
                .rows()
                .get(0)
                .get(0));
    }

    /** Parquet files below the lake, whoever knows of them. */
    long parquetFiles() throws IOException {
        if (!Files.exists(lake)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(lake)) {
            return files.filter(file -> file.toString().endsWith(".parquet")).count();
        }
    }

    @Override
    public void close() {
        engine.close();
        catalog.close();
        ledger.close();
    }
}
