package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.jdbc.JdbcCatalog;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The tables of a lake: a JDBC catalog in a schema of its own next to the ledger, files below one
 * warehouse directory. Safe for use by several threads.
 *
 * <p>All calls throw {@link WeirException}: {@link ErrorCode#CATALOG_UNREACHABLE}; further codes
 * are named at the call.
 */
public final class LakeCatalog implements AutoCloseable {
    /** Names become directories, so they must stay inside the warehouse and readable. */
    private static final Pattern TARGET =
            Pattern.compile("[^./\\\\\\p{Cntrl}]+\\.[^./\\\\\\p{Cntrl}]+");

    private final CatalogConfig config;
    private final JdbcCatalog catalog;
    private final CatalogConnections connections;
    private final FileIO io;
    private final TableMaking making;
    private final ManifestEntries manifests = new ManifestEntries();

    private LakeCatalog(
            CatalogConfig config, JdbcCatalog catalog, CatalogConnections connections, FileIO io) {
        this.config = config;
        this.catalog = catalog;
        this.connections = connections;
        this.io = io;
        this.making = new TableMaking(config, catalog);
    }

    /** Connects, and creates the schema and the tables of the catalog where they are missing. */
    public static LakeCatalog open(CatalogConfig config) {
        return open(config, new LocalFileIO());
    }

    /**
     * The same with files that are made durable another way.
     *
     * @param io of all tables of this catalog
     */
    public static LakeCatalog open(CatalogConfig config, FileIO io) {
        CatalogConnections connections = new CatalogConnections(config);
        JdbcCatalog catalog = new JdbcCatalog(properties -> io, properties -> connections, false);
        try {
            CatalogSchema.prepare(config);
            catalog.initialize(
                    config.name(),
                    Map.of(
                            "uri", config.bareUrl(),
                            "warehouse", config.warehouse(),
                            "jdbc.schema-version", "V1"));
        } catch (SQLException | RuntimeException e) {
            connections.close();
            throw IcebergErrors.of("Cannot open catalog " + config.bareUrl(), e);
        }
        return new LakeCatalog(config, catalog, connections, io);
    }

    /**
     * Says what {@link #prepare} would do; changes nothing.
     *
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID} if the target is no table name
     */
    public TablePlan plan(String target, List<Column> columns, List<String> key) {
        return plan(target, columns, key, PartitionBy.NOTHING);
    }

    /**
     * The same for a table that is partitioned.
     *
     * @param partitionBy nothing: a new table is not partitioned, an existing one stays as it is
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID} also if columns of these types cannot
     *     be partitioned so
     */
    public TablePlan plan(
            String target, List<Column> columns, List<String> key, PartitionBy partitionBy) {
        TargetSchema.checkColumns(target, columns, key);
        TablePartitions.check(target, columns, partitionBy);
        TableIdentifier identifier = identifier(target);
        return call("plan", target, () -> {
            if (!catalog.tableExists(identifier)) {
                return new TablePlan(
                        TablePlan.Action.CREATE,
                        making.locationOf(identifier),
                        partitionBy,
                        List.of());
            }
            TableMetadata metadata = asLoadsSeeIt(identifier);
            List<String> differences = TargetSchema.differences(metadata, columns, partitionBy);
            return new TablePlan(
                    differences.isEmpty() ? TablePlan.Action.MATCH : TablePlan.Action.MISMATCH,
                    metadata.location(),
                    TablePartitions.of(metadata.spec()),
                    differences);
        });
    }

    /**
     * Creates the table, with an empty snapshot to stage on, or matches the one that exists: the
     * same column names in any order, the same Iceberg types, the same source types, and NULL
     * allowed wherever the source may send it.
     *
     * @param columns in the order of the source; their field ids do not count
     * @throws WeirException {@link ErrorCode#TARGET_SCHEMA_MISMATCH} with every difference, {@link
     *     ErrorCode#CONFIG_INVALID} if the target is no table name
     */
    public LakeTable prepare(String target, List<Column> columns, List<String> key) {
        return prepare(target, columns, key, PartitionBy.NOTHING);
    }

    /**
     * The same for a table that is partitioned.
     *
     * @param partitionBy as in {@link #plan(String, List, List, PartitionBy)}
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID} also if columns of these types cannot
     *     be partitioned so
     */
    public LakeTable prepare(
            String target, List<Column> columns, List<String> key, PartitionBy partitionBy) {
        TargetSchema.checkColumns(target, columns, key);
        TablePartitions.check(target, columns, partitionBy);
        TableIdentifier identifier = identifier(target);
        return call("prepare", target, () -> {
            if (!catalog.tableExists(identifier)) {
                making.create(
                        identifier,
                        TargetSchema.create(columns, key),
                        columns,
                        partitionBy,
                        Map.of());
            }
            TableMetadata metadata = asLoadsSeeIt(identifier);
            List<String> differences = TargetSchema.differences(metadata, columns, partitionBy);
            if (!differences.isEmpty()) {
                throw Staging.mismatch(target, differences);
            }
            return new LakeTable(
                    handle(identifier, metadata),
                    TargetSchema.rows(metadata.schema(), columns, key),
                    TablePartitions.of(metadata.spec()),
                    metadata.location());
        });
    }

    /**
     * Opens an existing table.
     *
     * @throws WeirException {@link ErrorCode#TARGET_TABLE_NOT_FOUND}, {@link
     *     ErrorCode#CONFIG_INVALID} if the target is no table name
     */
    public LakeTable load(String target) {
        TableIdentifier identifier = identifier(target);
        return call("load", target, () -> {
            TableMetadata metadata = TableHandle.read(catalog, identifier).current();
            return new LakeTable(
                    handle(identifier, metadata),
                    TargetSchema.rows(metadata),
                    TablePartitions.of(metadata.spec()),
                    metadata.location());
        });
    }

    /**
     * Opens an existing table to load into: with the columns that are announced, if any are.
     *
     * @throws WeirException as {@link #load}
     */
    public LakeTable loading(String target) {
        TableIdentifier identifier = identifier(target);
        return call("load", target, () -> {
            TableMetadata metadata = asLoadsSeeIt(identifier);
            return new LakeTable(
                    handle(identifier, metadata),
                    TargetSchema.rows(metadata),
                    TablePartitions.of(metadata.spec()),
                    metadata.location());
        });
    }

    private TableHandle handle(TableIdentifier identifier, TableMetadata metadata) {
        return new TableHandle(catalog, identifier, metadata.uuid(), manifests);
    }

    private TableMetadata asLoadsSeeIt(TableIdentifier identifier) {
        return NextSchema.view(TableHandle.read(catalog, identifier).current());
    }

    /**
     * Opens an existing table for streaming clients.
     *
     * @throws WeirException {@link ErrorCode#TARGET_TABLE_NOT_FOUND}, {@link
     *     ErrorCode#CONFIG_INVALID} if the target is no table name
     */
    public IngestTable ingest(String target) {
        TableIdentifier identifier = identifier(target);
        CatalogPointer pointer = new CatalogPointer(connections, config.name(), identifier);
        return call(
                "open",
                target,
                () -> new IngestTable(identifier, new IngestOperations(pointer, identifier, io)));
    }

    /**
     * Creates the change log of a table of the source, or matches the one that exists.
     *
     * @param source qualified name of the table at the source
     * @param rows its columns under the field ids that digests are computed with
     * @throws WeirException {@link ErrorCode#TARGET_SCHEMA_MISMATCH} with every difference, {@link
     *     ErrorCode#CONFIG_INVALID} if the target is no table name
     */
    public LogTable prepareLog(String target, String source, RowSchema rows) {
        TargetSchema.checkColumns(target, rows.columns(), rows.key());
        TableIdentifier identifier = identifier(target);
        return call("prepare", target, () -> {
            if (!catalog.tableExists(identifier)) {
                List<Column> columns = LogSchema.columns(rows);
                making.create(
                        identifier,
                        TargetSchema.create(columns, List.of()),
                        columns,
                        PartitionBy.NOTHING,
                        LogSchema.properties(source, rows));
            }
            TableMetadata metadata = TableHandle.read(catalog, identifier).current();
            List<String> differences = LogSchema.differences(metadata, source, rows);
            if (!differences.isEmpty()) {
                throw Staging.mismatch(target, differences);
            }
            return new LogTable(
                    handle(identifier, metadata),
                    LogSchema.rows(metadata),
                    rows,
                    metadata.location());
        });
    }

    /**
     * Creates a replicated table, empty, or matches the one that exists, as {@link #prepare} does.
     *
     * @throws WeirException {@link ErrorCode#TARGET_SCHEMA_MISMATCH} also if the source has a
     *     column {@value ReplicaTable#ROW_HASH}, or the table was not made for replication
     */
    public ReplicaTable prepareReplica(
            String target, List<Column> columns, List<String> key, PartitionBy partitionBy) {
        TargetSchema.checkColumns(target, columns, key);
        TargetSchema.checkReplica(target, columns);
        TablePartitions.check(target, columns, partitionBy);
        TableIdentifier identifier = identifier(target);
        return call("prepare", target, () -> {
            if (!catalog.tableExists(identifier)) {
                Schema schema = TargetSchema.createReplica(columns, key);
                making.create(
                        identifier,
                        schema,
                        columns,
                        partitionBy,
                        ReplicaWords.properties(schema, columns));
            }
            TableMetadata metadata = asLoadsSeeIt(identifier);
            List<String> differences = TargetSchema.differences(metadata, columns, partitionBy);
            if (!differences.isEmpty()) {
                throw Staging.mismatch(target, differences);
            }
            return replica(
                    identifier, metadata, TargetSchema.rows(metadata.schema(), columns, key));
        });
    }

    /**
     * Announces the columns that an existing replicated table gets with the rows of its next load;
     * readers see the old ones until that is published. Nothing happens if there is no such table.
     *
     * @throws WeirException {@link ErrorCode#TARGET_SCHEMA_MISMATCH} if the source has a column
     *     {@value ReplicaTable#ROW_HASH}, or one that the table is partitioned by is gone
     */
    public void announce(String target, List<Column> columns, List<String> key) {
        TargetSchema.checkColumns(target, columns, key);
        TargetSchema.checkReplica(target, columns);
        TableIdentifier identifier = identifier(target);
        call("announce columns of", target, () -> {
            if (!catalog.tableExists(identifier)) {
                return false;
            }
            TableMetadata metadata = TableHandle.read(catalog, identifier).current();
            replica(identifier, metadata, TargetSchema.rows(metadata));
            return handle(identifier, metadata)
                    .commit(look -> NextSchema.announce(target, look, columns, key));
        });
    }

    /**
     * Opens an existing replicated table.
     *
     * @throws WeirException as {@link #load}, {@link ErrorCode#TARGET_SCHEMA_MISMATCH} if the table
     *     was not made for replication
     */
    public ReplicaTable replica(String target) {
        TableIdentifier identifier = identifier(target);
        return call("load", target, () -> {
            TableMetadata metadata = TableHandle.read(catalog, identifier).current();
            return replica(identifier, metadata, TargetSchema.rows(metadata));
        });
    }

    private ReplicaTable replica(
            TableIdentifier identifier, TableMetadata metadata, RowSchema rows) {
        if (ReplicaWords.rowHashField(metadata) == 0) {
            throw Staging.mismatch(
                    identifier.toString(),
                    List.of("it was not made for replication (property weir.row-hash.field is"
                            + " missing)"));
        }
        TableHandle handle = handle(identifier, metadata);
        return new ReplicaTable(
                handle,
                new LakeTable(
                        handle, rows, TablePartitions.of(metadata.spec()), metadata.location()),
                TargetSchema.rowHash(metadata));
    }

    /** Names of all tables, {@code namespace.table}, sorted. */
    public List<String> tables() {
        return call("list", "names", () -> {
            List<String> names = new ArrayList<>();
            for (Namespace namespace : catalog.listNamespaces()) {
                for (TableIdentifier table : catalog.listTables(namespace)) {
                    names.add(table.toString());
                }
            }
            return names.stream().sorted().toList();
        });
    }

    /**
     * Deletes the files of a run that was never staged: no snapshot names them, and the path is of
     * that run alone.
     *
     * @param dataPath location of the directory; nothing happens if there is none
     * @throws WeirException {@link ErrorCode#DISK_FULL} and others as the file system says
     */
    public void deleteUnstaged(String dataPath) {
        call("delete the files of a run below", dataPath, () -> {
            LocalFileIO.deleteTree(LocalFileIO.pathOf(dataPath));
            return true;
        });
    }

    @Override
    public void close() {
        catalog.close();
    }

    private static TableIdentifier identifier(String target) {
        if (!TARGET.matcher(target).matches()) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Invalid target " + target + ": namespace.table, without slashes");
        }
        return TableIdentifier.parse(target);
    }

    private <T> T call(String verb, String target, Supplier<T> action) {
        try {
            return action.get();
        } catch (RuntimeException e) {
            throw IcebergErrors.of("Cannot " + verb + " table " + target, e);
        }
    }
}
