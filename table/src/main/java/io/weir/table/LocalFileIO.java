package io.weir.table;

import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.io.SupportsBulkOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Files of tables on local disks. A location is {@code file://} followed by the absolute path as it
 * is, nothing escaped; every file keeps the location that it was asked for under, so that manifests
 * hold the one form that all engines read. A file that was closed is durable, with its directories.
 */
public final class LocalFileIO implements SupportsBulkOperations {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(LocalFileIO.class);
    private static final String SCHEME = "file:";

    /**
     * The path behind a location; also understands {@code file:/path} and bare absolute paths,
     * which other engines write.
     *
     * @throws IllegalArgumentException if the location is not an absolute path on this machine
     */
    public static Path pathOf(String location) {
        String path = location;
        if (location.startsWith(SCHEME + "///")) {
            path = location.substring(SCHEME.length() + 2);
        } else if (location.startsWith(SCHEME + "/") && !location.startsWith(SCHEME + "//")) {
            path = location.substring(SCHEME.length());
        }
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "Invalid location " + location + ": file:///absolute/path");
        }
        return Path.of(path);
    }

    /** The location of an absolute path, in the form that all engines read. */
    public static String locationOf(Path path) {
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("Invalid path " + path + ": not absolute");
        }
        return SCHEME + "//" + path.normalize();
    }

    /** Deletes a directory with everything in it; a missing one is fine. */
    static void deleteTree(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + directory, e);
        }
    }

    @Override
    public InputFile newInputFile(String location) {
        return new LocalInput(location, pathOf(location));
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return new LocalOutput(location, pathOf(location));
    }

    /** Deletes the file; one that is not there is an error, as for every other store of Iceberg. */
    @Override
    public void deleteFile(String location) {
        try {
            Files.delete(pathOf(location));
        } catch (NoSuchFileException e) {
            throw new NotFoundException(e, "Cannot delete file %s: it does not exist", location);
        } catch (IOException e) {
            throw new RuntimeIOException(e, "Cannot delete file %s: %s", location, e.getMessage());
        }
    }

    /** One after the other: handed to a pool, as Iceberg does it, they take longer. */
    @Override
    public void deleteFiles(Iterable<String> locations) {
        deleteAll(locations, this::deleteFile);
    }

    static void deleteAll(Iterable<String> locations, Consumer<String> delete) {
        int failed = 0;
        for (String location : locations) {
            try {
                delete.accept(location);
            } catch (RuntimeException e) {
                failed++;
                LOG.atWarn().setCause(e).addKeyValue("location", location).log("File not deleted");
            }
        }
        if (failed > 0) {
            throw new BulkDeletionFailureException(failed);
        }
    }

    record LocalInput(String location, Path path) implements InputFile {
        @Override
        public long getLength() {
            try {
                return Files.size(path);
            } catch (IOException e) {
                throw unreadable(e);
            }
        }

        @Override
        public SeekableInputStream newStream() {
            try {
                return new LocalInputStream(path);
            } catch (IOException e) {
                throw unreadable(e);
            }
        }

        @Override
        public boolean exists() {
            return Files.exists(path);
        }

        /**
         * Iceberg tries again for minutes what is not "not found", and a file that cannot be opened
         * now will not open then.
         */
        private NotFoundException unreadable(IOException e) {
            String reason = e instanceof NoSuchFileException ? "it does not exist" : e.toString();
            return new NotFoundException(e, "Cannot read file %s: %s", location, reason);
        }
    }

    private record LocalOutput(String location, Path path) implements OutputFile {
        @Override
        public PositionOutputStream create() {
            try {
                return DurableOutputStream.create(path);
            } catch (FileAlreadyExistsException e) {
                throw new AlreadyExistsException(e, "Cannot create file %s: it exists", location);
            } catch (IOException e) {
                throw new RuntimeIOException(
                        e, "Cannot create file %s: %s", location, e.getMessage());
            }
        }

        @Override
        public PositionOutputStream createOrOverwrite() {
            try {
                return DurableOutputStream.replace(path);
            } catch (IOException e) {
                throw new RuntimeIOException(
                        e, "Cannot create file %s: %s", location, e.getMessage());
            }
        }

        @Override
        public InputFile toInputFile() {
            return new LocalInput(location, path);
        }
    }
}
