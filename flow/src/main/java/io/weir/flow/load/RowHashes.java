package io.weir.flow.load;

import io.weir.core.row.Column;
import io.weir.table.LakeCatalog;

import org.jspecify.annotations.Nullable;

/** Tells which tables keep the digest of each row beside it. */
final class RowHashes {
    private RowHashes() {}

    /** The column for digests; null if the target has none. */
    static @Nullable Column of(LakeCatalog catalog, String target) {
        return catalog.load(target).isReplica() ? catalog.replica(target).rowHash() : null;
    }
}
