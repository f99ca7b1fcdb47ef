package io.weir.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The live files that manifests name, each manifest read once: what is written under its path never
 * changes. A table that gets a snapshot every second is looked at in the time that its newest
 * manifests take, however many it has. Statistics of columns are left out. Thread-safe.
 */
final class ManifestEntries {
    /** Some 30 MB. */
    private static final long FILES_MAX = 100_000;

    private final Cache<String, List<DataFile>> data = cache();
    private final Cache<String, List<DeleteFile>> deletes = cache();

    private static <T> Cache<String, List<T>> cache() {
        return Caffeine.newBuilder()
                .maximumWeight(FILES_MAX)
                .<String, List<T>>weigher((path, files) -> 1 + files.size())
                .build();
    }

    /** The live data files of a snapshot. */
    List<DataFile> data(Table table, Snapshot snapshot) {
        return data(table, snapshot, 0);
    }

    /**
     * The live data files of a snapshot but those whose manifests are older.
     *
     * @param sequenceMin no file that was added under this sequence number or a later one is left
     *     out
     */
    List<DataFile> data(Table table, Snapshot snapshot, long sequenceMin) {
        List<DataFile> files = new ArrayList<>();
        for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
            if (manifest.sequenceNumber() >= sequenceMin) {
                files.addAll(data.get(
                        manifest.path(),
                        path -> read(ManifestFiles.read(manifest, table.io(), table.specs()))));
            }
        }
        return files;
    }

    /** The live delete files of a snapshot. */
    List<DeleteFile> deletes(Table table, Snapshot snapshot) {
        List<DeleteFile> files = new ArrayList<>();
        for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
            files.addAll(deletes.get(
                    manifest.path(),
                    path -> read(ManifestFiles.readDeleteManifest(
                            manifest, table.io(), table.specs()))));
        }
        return files;
    }

    private static <F extends ContentFile<F>> List<F> read(ManifestReader<F> reader) {
        List<F> files = new ArrayList<>();
        try (reader) {
            for (F file : reader) {
                files.add(file.copyWithoutStats());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot close a manifest", e);
        }
        return List.copyOf(files);
    }
}
