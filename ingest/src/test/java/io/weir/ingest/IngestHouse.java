package io.weir.ingest;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.ingest.record.StrictDelimitedInputWriter;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A lake with the tables that the cases of Hive's own tests use, and Iceberg as a witness. */
final class IngestHouse implements AutoCloseable {
    static final String DATABASE = "testing";

    /** Columns of most tables here: Hive's {@code alerts} with its two partition keys. */
    static final List<Column> ALERTS = List.of(
            column("id", "integer", Types.IntegerType.get()),
            column("msg", "text", Types.StringType.get()),
            column("continent", "text", Types.StringType.get()),
            column("country", "text", Types.StringType.get()));

    static final List<Column> PLAIN = ALERTS.subList(0, 2);

    private static final TestDatabase BOOKS = TestPostgres.shared().createDatabase();
    private static final AtomicInteger HOUSES = new AtomicInteger();

    private final String name = "weir" + HOUSES.incrementAndGet();
    final CatalogConfig config;
    final LakeCatalog catalog;
    private final Path warehouse;
    private final JdbcCatalog witness = new JdbcCatalog();

    IngestHouse(Path warehouse) {
        this.warehouse = warehouse;
        this.config = new CatalogConfig(
                name,
                BOOKS.url(),
                BOOKS.user(),
                BOOKS.password(),
                LocalFileIO.locationOf(warehouse));
        this.catalog = LakeCatalog.open(config);
        witness.initialize(
                name,
                Map.of(
                        "uri", config.catalogUrl(),
                        "jdbc.user", BOOKS.user(),
                        "jdbc.password", BOOKS.password(),
                        "jdbc.schema-version", "V1",
                        "warehouse", config.warehouse(),
                        "io-impl", LocalFileIO.class.getName()));
    }

    /** The catalog as a client of the library names it. */
    Map<String, String> properties() {
        return Map.of(
                "name", name,
                "uri", BOOKS.url(),
                "jdbc.user", BOOKS.user(),
                "jdbc.password", BOOKS.password(),
                "warehouse", config.warehouse());
    }

    static Column column(String name, String sourceType, Type type) {
        return new Column(0, name, sourceType, type, false, LossPolicy.FAIL);
    }

    LakeTable create(String table, List<Column> columns, String partitionBy) {
        PartitionBy by =
                partitionBy.isEmpty() ? PartitionBy.NOTHING : PartitionBy.parse(partitionBy);
        return catalog.prepare(DATABASE + "." + table, columns, List.of(), by);
    }

    /** Hive's {@code testing.alerts}. */
    LakeTable alerts() {
        return create("alerts", ALERTS, "continent, country");
    }

    /** A table without partitions. */
    LakeTable plain() {
        return create("plain", PLAIN, "");
    }

    WeirStreamingConnection.Builder to(String table) {
        return WeirStreamingConnection.newBuilder()
                .withDatabase(DATABASE)
                .withTable(table)
                .withAgentInfo("UT_" + table)
                .withRecordWriter(StrictDelimitedInputWriter.newBuilder()
                        .withFieldDelimiter(',')
                        .build())
                .withCatalog(config);
    }

    WeirStreamingConnection.Builder toAlerts(String continent, String country) {
        return to("alerts").withStaticPartitionValues(List.of(continent, country));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static void write(StreamingConnection connection, String... records) throws StreamingException {
        for (String record : records) {
            connection.write(bytes(record));
        }
    }

    /** One transaction of a connection of its own. */
    static CommitInfo transaction(StreamingConnection connection, String... records)
            throws StreamingException {
        connection.beginTransaction();
        write(connection, records);
        return connection.commitTransaction();
    }

    /** The table as Iceberg alone sees it now. */
    Table table(String table) {
        return witness.loadTable(TableIdentifier.of(DATABASE, table));
    }

    /** What readers see, each row as text, sorted. */
    List<String> rows(String table) {
        List<String> rows = new ArrayList<>();
        try (CloseableIterable<Record> records =
                IcebergGenerics.read(table(table)).build()) {
            for (Record record : records) {
                List<String> values = new ArrayList<>();
                for (int i = 0; i < record.size(); i++) {
                    values.add(String.valueOf(record.get(i)));
                }
                rows.add(String.join(",", values));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        rows.sort(null);
        return rows;
    }

    /** Partition paths of the live files, each once. */
    List<String> partitions(String table) {
        return tasks(table).stream()
                .map(task -> task.spec().partitionToPath(task.file().partition()))
                .distinct()
                .sorted()
                .toList();
    }

    List<FileScanTask> tasks(String table) {
        List<FileScanTask> tasks = new ArrayList<>();
        try (CloseableIterable<FileScanTask> planned = table(table).newScan().planFiles()) {
            planned.forEach(tasks::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tasks;
    }

    /** The latest snapshot's summary. */
    Map<String, String> summary(String table) {
        Snapshot snapshot = table(table).currentSnapshot();
        return snapshot.summary();
    }

    /** What the table says of itself. */
    Balance balance(String table) {
        return catalog.load(DATABASE + "." + table).balance();
    }

    /** Parquet files on disk below the table, named by a snapshot or not. */
    List<Path> filesOnDisk(String table) {
        Path data = warehouse.resolve(DATABASE).resolve(table).resolve("data");
        if (!Files.exists(data)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(file -> file.toString().endsWith(".parquet"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        witness.close();
        catalog.close();
    }
}
