package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/** Finds one table again and again: each look is fresh, and it is always the same table. */
final class TableHandle {
    private static final int TRIES_MAX = 20;
    private static final long PAUSE_NANOS_MIN = 10_000_000;
    private static final long PAUSE_NANOS_MAX = 1_000_000_000;

    private final Catalog catalog;
    private final TableIdentifier identifier;
    private final String uuid;
    private final ManifestEntries manifests;

    /**
     * Looks at nothing yet.
     *
     * @param manifests of all tables of the catalog
     */
    TableHandle(
            Catalog catalog, TableIdentifier identifier, String uuid, ManifestEntries manifests) {
        this.catalog = catalog;
        this.identifier = identifier;
        this.uuid = uuid;
        this.manifests = manifests;
    }

    /** Reads the table now, whatever any older handle has seen. */
    static PinnedOperations read(Catalog catalog, TableIdentifier identifier) {
        HasTableOperations table = (HasTableOperations) catalog.loadTable(identifier);
        return new PinnedOperations(identifier.toString(), table.operations());
    }

    String target() {
        return identifier.toString();
    }

    ManifestEntries manifests() {
        return manifests;
    }

    /** The table as it is now. */
    PinnedOperations look() {
        PinnedOperations operations = read(catalog, identifier);
        if (!uuid.equals(operations.current().uuid())) {
            throw new WeirException(
                    ErrorCode.TABLE_MOVED,
                    "Cannot use table " + identifier
                            + ": it was dropped and created again (uuid=" + uuid + ", found="
                            + operations.current().uuid() + ")");
        }
        return operations;
    }

    /** The metadata of the table as it is now. */
    TableMetadata metadata() {
        return look().current();
    }

    /** Runs one call on the table; what it throws is classified here and nowhere else. */
    <T> T call(String verb, Supplier<T> action) {
        try {
            return action.get();
        } catch (RuntimeException e) {
            throw IcebergErrors.of("Cannot " + verb + " table " + identifier, e);
        }
    }

    /**
     * Commits a change that may be repeated: each try decides anew from what the table is then.
     *
     * @throws CommitFailedException if the table changed under every try
     */
    <T> T commit(Function<PinnedOperations, T> change) {
        int tries = 1;
        while (true) {
            try {
                return change.apply(look());
            } catch (CommitFailedException e) {
                if (tries >= TRIES_MAX) {
                    throw e;
                }
            }
            LockSupport.parkNanos(pauseNanos(tries));
            tries++;
        }
    }

    /** Longer and longer: a crowd of writers thins out as each of them gets through. */
    private static long pauseNanos(int tries) {
        return Math.min(PAUSE_NANOS_MAX, PAUSE_NANOS_MIN << tries);
    }
}
