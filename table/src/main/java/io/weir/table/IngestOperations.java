package io.weir.table;

import org.apache.iceberg.BaseMetastoreTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Optional;

/**
 * A table for whom commits often: what it committed itself it does not read again, and one guarded
 * statement is all that a commit asks of the catalog.
 */
final class IngestOperations extends BaseMetastoreTableOperations {
    private static final Logger LOG = LoggerFactory.getLogger(IngestOperations.class);

    /** Iceberg's own number of tries to read a file that the catalog names. */
    private static final int READS_MAX = 20;

    /** Snapshots remember which manifests they were made of; reading anew lets go of that. */
    private static final int KEPT_MAX = 100;

    private final CatalogPointer pointer;
    private final TableIdentifier table;
    private final FileIO io;
    private @Nullable TableMetadata own;
    private int kept;

    IngestOperations(CatalogPointer pointer, TableIdentifier table, FileIO io) {
        this.pointer = pointer;
        this.table = table;
        this.io = io;
    }

    @Override
    protected String tableName() {
        return table.toString();
    }

    @Override
    public FileIO io() {
        return io;
    }

    @Override
    protected void doRefresh() {
        Optional<String> location = pointer.read();
        if (location.isEmpty()) {
            throw new NoSuchTableException("Table does not exist: %s", table);
        }
        refreshFromMetadataLocation(location.get(), null, READS_MAX, this::read);
        own = null;
    }

    /** What was read or committed last; whether it is still true, a commit finds out. */
    @Override
    public TableMetadata current() {
        TableMetadata known = own;
        return known == null ? super.current() : known;
    }

    private TableMetadata read(String location) {
        TableMetadata known = own;
        if (known != null && location.equals(known.metadataFileLocation())) {
            return known;
        }
        return TableMetadataParser.read(io, location);
    }

    @Override
    protected void doCommit(TableMetadata base, TableMetadata metadata) {
        String location = writeNewMetadataIfRequired(false, metadata);
        if (!pointer.move(base.metadataFileLocation(), location)) {
            delete(location);
            throw new CommitFailedException(
                    "Table %s is not where it was (location=%s)",
                    table, base.metadataFileLocation());
        }
        kept = (kept + 1) % KEPT_MAX;
        own = kept == 0
                ? null
                : TableMetadata.buildFrom(metadata)
                        .discardChanges()
                        .withMetadataLocation(location)
                        .build();
    }

    private void delete(String location) {
        try {
            io.deleteFile(location);
        } catch (RuntimeException e) {
            LOG.atDebug()
                    .setCause(e)
                    .addKeyValue("location", location)
                    .log("Metadata of a refused commit not deleted");
        }
    }
}
