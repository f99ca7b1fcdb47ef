package io.weir.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** File operations that a power cut does not undo. DuckDB itself never calls fsync. */
final class DurableFiles {
    private DurableFiles() {}

    /** Creates what is missing of a directory and makes each new entry durable. */
    static void createDirectories(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        if (parent != null) {
            createDirectories(parent);
        }
        Files.createDirectories(directory);
        if (parent != null) {
            syncDirectory(parent);
        }
    }

    /** Creates a directory below another one under the lowest number that is free; durable. */
    static Path createNumbered(Path parent) throws IOException {
        createDirectories(parent);
        int number = 0;
        while (true) {
            Path directory = parent.resolve(Integer.toString(number));
            try {
                Files.createDirectory(directory);
                syncDirectory(parent);
                return directory;
            } catch (FileAlreadyExistsException e) {
                // Somebody else has it, or had it.
                number++;
            }
        }
    }

    /** Makes the content of {@code temporary} durable and then visible as {@code file}. */
    static void publish(Path temporary, Path file) throws IOException {
        move(temporary, file);
        syncDirectory(parentOf(file));
    }

    /** The same for several files; each directory is made durable once, after the last of them. */
    static void publishAll(Map<Path, Path> filesByTemporary) throws IOException {
        Set<Path> directories = new LinkedHashSet<>();
        for (Map.Entry<Path, Path> entry : filesByTemporary.entrySet()) {
            move(entry.getKey(), entry.getValue());
            directories.add(parentOf(entry.getValue()));
        }
        for (Path directory : directories) {
            syncDirectory(directory);
        }
    }

    private static void move(Path temporary, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }

    static Path parentOf(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IllegalArgumentException("Invalid file " + file + ": it has no directory");
        }
        return parent;
    }

    private static void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
