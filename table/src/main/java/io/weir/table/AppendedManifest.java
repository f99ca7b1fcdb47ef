package io.weir.table;

import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * The manifest of files that come in, written by the thread that commits. Iceberg gives that to a
 * pool and asks it every ten milliseconds whether it is done, longer than all the rest may take.
 */
final class AppendedManifest {
    private static final String FILE_SIZE = "added-files-size";

    private AppendedManifest() {}

    /**
     * Adds files to an append; snapshot and sequence number are those that the commit gets.
     *
     * @param files at least one
     * @param location makes the location of a metadata file from its name
     */
    static void add(
            AppendFiles update,
            List<StagedFile> files,
            TableMetadata metadata,
            FileIO io,
            UnaryOperator<String> location) {
        PartitionSpec spec = metadata.spec();
        String path = location.apply(name(files, metadata) + "-m0.avro");
        ManifestWriter<DataFile> writer =
                ManifestFiles.write(metadata.formatVersion(), spec, io.newOutputFile(path), null);
        long bytes = 0;
        try (writer) {
            for (StagedFile file : files) {
                writer.add(Staging.dataFile(file, spec));
                bytes += file.bytes();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write manifest " + path, e);
        }
        ManifestFile manifest = writer.toManifestFile();
        update.appendManifest(manifest);
        // Of files that come in a manifest Iceberg does not count the bytes by itself.
        update.set(FILE_SIZE, Long.toString(bytes));
    }

    /** Another one for each try: it is made on another state of the table. */
    private static UUID name(List<StagedFile> files, TableMetadata metadata) {
        String made = metadata.metadataFileLocation() + " " + files.get(0).path();
        return UUID.nameUUIDFromBytes(made.getBytes(StandardCharsets.UTF_8));
    }
}
