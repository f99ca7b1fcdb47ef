package io.weir.table;

import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/** Operations that differ from others only in what the table is now, and in how it changes. */
abstract class ForwardedOperations implements TableOperations {
    private final TableOperations others;

    ForwardedOperations(TableOperations others) {
        this.others = others;
    }

    @Override
    public FileIO io() {
        return others.io();
    }

    @Override
    public EncryptionManager encryption() {
        return others.encryption();
    }

    @Override
    public String metadataFileLocation(String fileName) {
        return others.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider() {
        return others.locationProvider();
    }

    @Override
    public TableOperations temp(TableMetadata uncommitted) {
        return others.temp(uncommitted);
    }

    @Override
    public long newSnapshotId() {
        return others.newSnapshotId();
    }
}
