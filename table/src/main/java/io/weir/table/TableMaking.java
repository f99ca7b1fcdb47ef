package io.weir.table;

import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;

import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.jdbc.UncheckedSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;

/** Makes tables in the catalog. */
final class TableMaking {
    private static final Logger LOG = LoggerFactory.getLogger(TableMaking.class);

    private final CatalogConfig config;
    private final JdbcCatalog catalog;

    TableMaking(CatalogConfig config, JdbcCatalog catalog) {
        this.config = config;
        this.catalog = catalog;
    }

    /** Creates a table with an empty snapshot, unless somebody else did so a moment ago. */
    void create(
            TableIdentifier identifier,
            Schema schema,
            List<Column> columns,
            PartitionBy partitionBy,
            Map<String, String> more) {
        createNamespace(identifier.namespace());
        try {
            Transaction transaction = catalog.buildTable(identifier, schema)
                    .withPartitionSpec(TablePartitions.spec(schema, partitionBy))
                    .withLocation(locationOf(identifier))
                    .withProperties(TargetSchema.properties(schema, columns))
                    .withProperties(more)
                    .createTransaction();
            AppendFiles first = transaction.newFastAppend();
            SnapshotSummary.enter(first, Balance.ZERO, Balance.ZERO);
            first.commit();
            transaction.commitTransaction();
        } catch (AlreadyExistsException e) {
            // Another process was faster; its table is then compared like any existing one.
            LOG.atDebug().addKeyValue("table", identifier).log("Table made by another process");
        }
    }

    private void createNamespace(Namespace namespace) {
        try {
            if (!catalog.namespaceExists(namespace)) {
                catalog.createNamespace(namespace);
            }
        } catch (AlreadyExistsException | UncheckedSQLException e) {
            if (!catalog.namespaceExists(namespace)) {
                throw e;
            }
        }
    }

    /** Where a new table lies. */
    String locationOf(TableIdentifier identifier) {
        return config.warehouse() + "/" + identifier.namespace().level(0) + "/" + identifier.name();
    }
}
