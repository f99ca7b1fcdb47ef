package io.weir.table;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.io.FileIO;

import java.util.function.Function;

/**
 * Changes that belong together: each is kept in memory when Iceberg commits it, and the catalog
 * hears of all of them at once. Unlike Iceberg's own transaction this does not read the manifests
 * of a commit again to find out which of its files were in vain: none are, where nothing is tried
 * twice.
 */
final class StagedOperations extends ForwardedOperations {
    private final PinnedOperations look;
    private final RecordingFileIO io;
    private TableMetadata staged;

    private StagedOperations(PinnedOperations look) {
        super(look);
        this.look = look;
        this.io = new RecordingFileIO(look.io());
        this.staged = look.current();
    }

    /**
     * Makes changes and commits them together, or none.
     *
     * @param change what to do with the table; commits whatever parts it has
     * @return what the change returned
     * @throws CommitFailedException if the table is another one by now; the files that the change
     *     wrote are deleted
     */
    static <T> T commit(PinnedOperations look, Function<Table, T> change) {
        StagedOperations operations = new StagedOperations(look);
        T result;
        try {
            result = change.apply(new BaseTable(operations, look.table().name(), report -> {}));
        } catch (RuntimeException e) {
            operations.io.deleteWritten();
            throw e;
        }
        operations.send();
        return result;
    }

    private void send() {
        if (staged == look.current()) {
            return;
        }
        try {
            look.commit(look.current(), staged);
        } catch (CommitFailedException e) {
            // Refused for certain. After any other error the table may name these files.
            io.deleteWritten();
            throw e;
        }
    }

    @Override
    public TableMetadata current() {
        return staged;
    }

    @Override
    public TableMetadata refresh() {
        return staged;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        if (base != staged) {
            throw new IllegalStateException("Parts of one change do not follow each other");
        }
        staged = metadata;
    }

    @Override
    public FileIO io() {
        return io;
    }
}
