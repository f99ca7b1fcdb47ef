package io.weir.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Files below a directory that no snapshot names. */
public final class LeftFiles {
    private final Path directory;
    private final List<Path> paths;
    private final long bytes;

    private LeftFiles(Path directory, List<Path> paths, long bytes) {
        this.directory = directory;
        this.paths = List.copyOf(paths);
        this.bytes = bytes;
    }

    /** Everything below a location, for a table that does not exist any more. */
    public static LeftFiles all(String location) {
        return below(location, Set.of());
    }

    static LeftFiles below(String location, Set<String> named) {
        Path directory = LocalFileIO.pathOf(location);
        List<Path> left = new ArrayList<>();
        long bytes = 0;
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (!named.contains(LocalFileIO.locationOf(file))) {
                        left.add(file);
                        bytes += Files.size(file);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot list " + directory, e);
            }
        }
        return new LeftFiles(directory, left, bytes);
    }

    public long files() {
        return paths.size();
    }

    public long bytes() {
        return bytes;
    }

    /** Deletes them, and the directory if nothing else is in it. */
    public void delete() {
        try {
            for (Path path : paths) {
                Files.deleteIfExists(path);
            }
            if (Files.exists(directory) && isEmpty(directory)) {
                LocalFileIO.deleteTree(directory);
            }
        } catch (IOException e) {
            throw IcebergErrors.of(
                    "Cannot delete files below " + directory,
                    new UncheckedIOException(e.getMessage(), e));
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.noneMatch(Files::isRegularFile);
        }
    }
}
