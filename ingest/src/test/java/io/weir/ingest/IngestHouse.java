package io.weir.ingest;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.row.BalanceSum;
import io.weir.core.row.CanonicalRow;
import io.weir.core.row.CanonicalType;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowDigest;
import io.weir.ingest.record.StrictDelimitedInputWriter;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;
import io.weir.testkit.postgresql.TestDatabase;
import io.weir.testkit.postgresql.TestPostgres;

import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.InternalRecordWrapper;
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
import java.util.TreeMap;
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

    int port() {
        return BOOKS.port();
    }

    /** The same catalog through another port, or as another process would name it. */
    CatalogConfig through(int port) {
        return new CatalogConfig(
                name,
                "jdbc:postgresql://127.0.0.1:" + port + "/" + BOOKS.name() + "?ApplicationName=x",
                BOOKS.user(),
                BOOKS.password(),
                config.warehouse());
    }

    /** The catalog under a URL of its own, so that nothing is shared within this process. */
    CatalogConfig asOther(String writer) {
        return new CatalogConfig(
                name,
                BOOKS.url() + "?ApplicationName=" + writer,
                BOOKS.user(),
                BOOKS.password(),
                config.warehouse());
    }

    /** The balance of what Iceberg reads, for tables of an int and texts. */
    Balance measured(String table) {
        CanonicalRow canonical = new CanonicalRow();
        RowDigest digest = new RowDigest();
        BalanceSum sum = new BalanceSum();
        for (Record record : records(table)) {
            canonical.reset();
            for (Types.NestedField field : record.struct().fields()) {
                Object value = record.getField(field.name());
                if (value instanceof Integer number) {
                    canonical.putLong(field.fieldId(), CanonicalType.INTEGER, number);
                } else if (value instanceof String text) {
                    byte[] bytes = bytes(text);
                    canonical.putBytes(field.fieldId(), CanonicalType.TEXT, bytes, 0, bytes.length);
                }
            }
            digest.compute(canonical);
            sum.add(digest);
        }
        return sum.balance();
    }

    /** Locations of the data files of every snapshot that the table still has. */
    List<String> filesOfAllSnapshots(String table) {
        List<String> locations = new ArrayList<>();
        Table look = table(table);
        for (Snapshot snapshot : look.snapshots()) {
            try (CloseableIterable<FileScanTask> planned =
                    look.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
                planned.forEach(task -> locations.add(task.file().location()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return locations;
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
        for (Record record : records(table)) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < record.size(); i++) {
                values.add(String.valueOf(record.get(i)));
            }
            rows.add(String.join(",", values));
        }
        rows.sort(null);
        return rows;
    }

    /** Every row as Iceberg reads it. */
    List<Record> records(String table) {
        List<Record> all = new ArrayList<>();
        try (CloseableIterable<Record> records =
                IcebergGenerics.read(table(table)).build()) {
            records.forEach(record -> all.add(record.copy()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** Partition paths for which Iceberg's own routing of the rows disagrees with their files. */
    List<String> misplaced(String table) {
        Table look = table(table);
        PartitionKey key = new PartitionKey(look.spec(), look.schema());
        InternalRecordWrapper wrapper = new InternalRecordWrapper(look.schema().asStruct());
        Map<String, Long> computed = new TreeMap<>();
        for (Record record : records(table)) {
            key.partition(wrapper.wrap(record));
            computed.merge(look.spec().partitionToPath(key), 1L, Long::sum);
        }
        Map<String, Long> stored = new TreeMap<>();
        for (FileScanTask task : tasks(table)) {
            String path = task.spec().partitionToPath(task.file().partition());
            stored.merge(path, task.file().recordCount(), Long::sum);
        }
        List<String> different = new ArrayList<>();
        computed.forEach((path, rows) -> {
            if (!rows.equals(stored.get(path))) {
                different.add(path + ": " + stored.get(path) + " instead of " + rows);
            }
        });
        return different;
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
        try (CloseableIterable<FileScanTask> planned =
                table(table).newScan().includeColumnStats().planFiles()) {
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
