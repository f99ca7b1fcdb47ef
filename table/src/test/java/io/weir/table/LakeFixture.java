package io.weir.table;

import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.run.RunId;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lake of its own: one warehouse, one catalog, and another writer beside it. All lakes of the JVM
 * share a database, because a hundred databases take long to create and to delete.
 */
final class LakeFixture implements AutoCloseable {
    static final String TARGET = "sales.orders";
    static final List<Column> COLUMNS = List.of(
            column("id", "bigint", Types.LongType.get(), true),
            column("name", "text", Types.StringType.get(), false),
            column("amount", "numeric(12,2)", Types.DecimalType.of(12, 2), false));
    static final List<String> KEY = List.of("id");

    private static final TestDatabase DATABASE = TestPostgres.shared().createDatabase();
    private static final AtomicInteger LAKES = new AtomicInteger();

    private final String name = "weir" + LAKES.incrementAndGet();
    private final CatalogConfig config;
    private final LakeCatalog catalog;
    private final JdbcCatalog foreign;

    LakeFixture(Path warehouse) {
        this.config = config(DATABASE.port(), warehouse);
        this.catalog = LakeCatalog.open(config);
        this.foreign = new JdbcCatalog();
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

    /** The same catalog through another port. */
    CatalogConfig config(int port, Path warehouse) {
        return new CatalogConfig(
                name,
                "jdbc:postgresql://" + DATABASE.host() + ":" + port + "/" + DATABASE.name(),
                DATABASE.user(),
                DATABASE.password(),
                LocalFileIO.locationOf(warehouse));
    }

    static Column column(String name, String sourceType, Type type, boolean required) {
        return new Column(0, name, sourceType, type, required, LossPolicy.FAIL);
    }

    TestDatabase database() {
        return DATABASE;
    }

    /** Where the catalog says that the metadata of the only table is. */
    String metadataLocation() {
        return DATABASE.text(
                "select metadata_location from weir_catalog.iceberg_tables where catalog_name = '"
                        + name + "'");
    }

    CatalogConfig config() {
        return config;
    }

    LakeCatalog catalog() {
        return catalog;
    }

    LakeTable prepare() {
        return catalog.prepare(TARGET, COLUMNS, KEY);
    }

    /** The table as another writer sees it now. */
    Table foreignTable() {
        return foreign.loadTable(TableIdentifier.parse(TARGET));
    }

    JdbcCatalog foreignCatalog() {
        return foreign;
    }

    /** The first attempt of a new run on main as it is. */
    static PublishAttempt attempt(LakeTable table, long epoch) {
        return attempt(new RunId(UUID.randomUUID()), table.currentSnapshotId(), epoch);
    }

    static PublishAttempt attempt(RunId run, long base, long epoch) {
        return new PublishAttempt(
                TARGET, epoch, run, UUID.randomUUID(), AttemptState.OPEN, base, null, null);
    }

    static PublishAttempt staged(PublishAttempt attempt, @Nullable Long snapshotId) {
        return new PublishAttempt(
                attempt.target(),
                attempt.epoch(),
                attempt.runId(),
                attempt.token(),
                attempt.state(),
                attempt.baseSnapshotId(),
                snapshotId,
                attempt.evidence());
    }

    /** The staged snapshot of an attempt that has one. */
    static long stagedId(PublishAttempt attempt) {
        return Objects.requireNonNull(attempt.stagedSnapshotId(), "staged");
    }

    /** A file of a run; its bytes stand for rows that no test here reads. */
    static StagedFile file(LakeTable table, RunId run, String name, long rows) {
        String path = table.dataRoot() + "/run=" + run + "/" + name + ".parquet";
        return StagedFile.of(path, rows, write(path));
    }

    static long write(String path) {
        byte[] bytes = ("rows of " + path).getBytes(StandardCharsets.UTF_8);
        try (OutputStream out = new LocalFileIO().newOutputFile(path).create()) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.length;
    }

    /** A balance whose digest sum is recognisable. */
    static Balance balance(long rows, long digest) {
        return Balance.of(rows, BigInteger.valueOf(digest));
    }

    /** Stages one file of some rows; the attempt that comes back knows its snapshot. */
    static PublishAttempt stageOne(
            LakeTable table, PublishAttempt attempt, PublishMode mode, Balance delta) {
        List<StagedFile> files =
                List.of(file(table, attempt.runId(), "e" + attempt.epoch(), delta.rows()));
        return staged(attempt, table.stage(attempt, mode, files, delta));
    }

    /** Stages and publishes one file of a new run. */
    static PublishAttempt load(LakeTable table, long epoch, PublishMode mode, Balance delta) {
        PublishAttempt attempt = stageOne(table, attempt(table, epoch), mode, delta);
        Published published = table.publish(attempt, mode);
        if (published.outcome() != Published.Outcome.PUBLISHED) {
            throw new IllegalStateException(published.reason());
        }
        return attempt;
    }

    /** A file as another writer would add it. */
    DataFile foreignFile(long rows) {
        String path = foreignTable().location() + "/data/" + UUID.randomUUID() + ".parquet";
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(path)
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(write(path))
                .withRecordCount(rows)
                .build();
    }

    /** Another writer adds rows. */
    void appendForeign(long rows) {
        foreignTable().newFastAppend().appendFile(foreignFile(rows)).commit();
    }

    /** Another writer puts all files of main into one. */
    void compactForeign(long rows) {
        Table table = foreignTable();
        var rewrite = table.newRewrite().addFile(foreignFile(rows));
        try (var tasks = table.newScan().planFiles()) {
            tasks.forEach(task -> rewrite.deleteFile(task.file()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        rewrite.commit();
    }

    /** Another writer forgets every snapshot that no branch needs. */
    void expireForeign() {
        foreignTable()
                .expireSnapshots()
                .expireOlderThan(Long.MAX_VALUE)
                .retainLast(1)
                .commit();
    }

    @Override
    public void close() {
        foreign.close();
        catalog.close();
    }
}
