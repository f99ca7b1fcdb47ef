package io.weir.table;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.route.KeyedRows;
import io.weir.core.route.Route;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.Table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Lists data files from the manifests of a snapshot. */
final class SnapshotFiles {
    private SnapshotFiles() {}

    /** Every live file. Rows deleted by position would be counted, so delete files are refused. */
    static List<FileEntry> live(ManifestEntries manifests, Table table, Snapshot snapshot) {
        return live(manifests, table, snapshot, 0);
    }

    /** The same but those that were surely added under an earlier sequence number. */
    static List<FileEntry> live(
            ManifestEntries manifests, Table table, Snapshot snapshot, long sequenceMin) {
        checkNoDeletes(manifests, table, snapshot);
        return manifests.data(table, snapshot, sequenceMin).stream()
                .map(file -> entry(table, file))
                .toList();
    }

    /** The files that the snapshot added. */
    static List<FileEntry> addedBy(Table table, Snapshot snapshot) {
        List<FileEntry> entries = new ArrayList<>();
        SnapshotChanges changes =
                SnapshotChanges.builderFor(table).snapshot(snapshot).build();
        for (DataFile file : changes.addedDataFiles()) {
            entries.add(entry(table, file));
        }
        return List.copyOf(entries);
    }

    /** Locations of the data files that any of the snapshots names, live or not. */
    static Set<String> locations(Table table, Iterable<Snapshot> snapshots) {
        Set<String> locations = new HashSet<>();
        Set<String> manifests = new HashSet<>();
        for (Snapshot snapshot : snapshots) {
            for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
                if (manifests.add(manifest.path())) {
                    read(table, manifest, locations);
                }
            }
        }
        return locations;
    }

    private static void read(Table table, ManifestFile manifest, Set<String> locations) {
        try (ManifestReader<DataFile> files =
                ManifestFiles.read(manifest, table.io(), table.specs())) {
            for (DataFile file : files) {
                locations.add(file.location());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot close manifest " + manifest.path(), e);
        }
    }

    /** The files that the snapshot removed. */
    static List<FileEntry> removedBy(Table table, Snapshot snapshot) {
        List<FileEntry> entries = new ArrayList<>();
        SnapshotChanges changes =
                SnapshotChanges.builderFor(table).snapshot(snapshot).build();
        for (DataFile file : changes.removedDataFiles()) {
            entries.add(entry(table, file));
        }
        return List.copyOf(entries);
    }

    /**
     * The live files whose rows a business key names.
     *
     * @throws WeirException {@link ErrorCode#TARGET_SCHEMA_MISMATCH} if a live file was written
     *     when the table was partitioned otherwise: which of its rows are named cannot be told
     */
    static List<DataFile> named(
            ManifestEntries manifests, Table table, Snapshot snapshot, KeyedRows rows) {
        checkNoDeletes(manifests, table, snapshot);
        List<DataFile> files = new ArrayList<>();
        for (DataFile file : manifests.data(table, snapshot)) {
            if (file.specId() != table.spec().specId()) {
                throw new WeirException(
                        ErrorCode.TARGET_SCHEMA_MISMATCH,
                        "Cannot replace a partition of table " + table.name()
                                + ": a file was written when it was partitioned otherwise"
                                + " (file=" + file.location() + ")",
                        "Load the table once with publish: replace, then partition by"
                                + " partition.",
                        null);
            }
            if (rows.holds(TablePartitions.route(table.spec(), file))) {
                files.add(file);
            }
        }
        return files;
    }

    private static void checkNoDeletes(ManifestEntries manifests, Table table, Snapshot snapshot) {
        for (DeleteFile deletes : manifests.deletes(table, snapshot)) {
            throw new WeirException(
                    ErrorCode.TABLE_FOREIGN_WRITE,
                    "Cannot list the files of table " + table.name()
                            + ": another writer deleted rows (snapshot="
                            + snapshot.snapshotId() + ", deletes=" + deletes.location() + ")");
        }
    }

    static FileEntry entry(Table table, DataFile file) {
        Route route = file.specId() == table.spec().specId()
                ? TablePartitions.route(table.spec(), file)
                : Route.NONE;
        return new FileEntry(file.location(), file.recordCount(), file.fileSizeInBytes(), route);
    }
}
