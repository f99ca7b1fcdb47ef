package io.weir.table;

import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.TableMetadata;

import java.util.function.Supplier;

/**
 * Keeps the metadata of a table from growing with every run: the commit that stages a run also
 * forgets the oldest snapshots of main. Only forgets: files go when maintenance finds that nothing
 * refers to them.
 */
final class SnapshotLimit {
    static final String PROPERTY = "weir.snapshots.max";
    static final int DEFAULT = 1000;

    private SnapshotLimit() {}

    /** Makes room for one more snapshot. */
    static void apply(TableMetadata metadata, Supplier<ExpireSnapshots> expire) {
        String text = metadata.properties().get(PROPERTY);
        int limit = text == null ? DEFAULT : Integer.parseInt(text);
        if (metadata.snapshots().size() < limit) {
            return;
        }
        expire.get()
                .expireOlderThan(Long.MAX_VALUE)
                .retainLast(Math.max(1, limit - 1))
                .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
                .commit();
    }
}
