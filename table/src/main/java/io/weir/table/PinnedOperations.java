package io.weir.table;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * One look at a table. What was read stays what every commit is based on, so that the catalog
 * refuses the commit if anything at all changed since. Iceberg alone would refresh and apply the
 * same change to another table state, with a balance that is no longer true.
 */
final class PinnedOperations implements TableOperations {
    private final String name;
    private final TableOperations operations;
    private final TableMetadata pinned;
    private boolean committed;

    PinnedOperations(String name, TableOperations operations) {
        this.name = name;
        this.operations = operations;
        this.pinned = operations.current();
    }

    /** The table as it was read; its metrics of planning and commits go nowhere. */
    Table table() {
        return new BaseTable(this, name, report -> {});
    }

    @Override
    public TableMetadata current() {
        return committed ? operations.current() : pinned;
    }

    @Override
    public TableMetadata refresh() {
        return committed ? operations.refresh() : pinned;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        operations.commit(base, metadata);
        committed = true;
    }

    @Override
    public FileIO io() {
        return operations.io();
    }

    @Override
    public EncryptionManager encryption() {
        return operations.encryption();
    }

    @Override
    public String metadataFileLocation(String fileName) {
        return operations.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider() {
        return operations.locationProvider();
    }

    @Override
    public TableOperations temp(TableMetadata uncommitted) {
        return operations.temp(uncommitted);
    }

    @Override
    public long newSnapshotId() {
        return operations.newSnapshotId();
    }
}
