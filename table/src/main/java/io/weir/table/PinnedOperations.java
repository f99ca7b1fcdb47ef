package io.weir.table;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;

/**
 * One look at a table. What was read stays what every commit is based on, so that the catalog
 * refuses the commit if anything at all changed since. Iceberg alone would refresh and apply the
 * same change to another table state, with a balance that is no longer true.
 */
final class PinnedOperations extends ForwardedOperations {
    private final String name;
    private final TableOperations operations;
    private final TableMetadata pinned;
    private boolean committed;

    PinnedOperations(String name, TableOperations operations) {
        super(operations);
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
}
