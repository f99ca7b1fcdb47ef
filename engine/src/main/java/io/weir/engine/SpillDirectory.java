package io.weir.engine;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory of one engine below the configured one. DuckDB names spilled files the same way in
 * every process, so two engines must never share a directory. A lock file beside the directory is
 * held while its owner lives; whoever comes later removes directories whose owner died.
 */
final class SpillDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpillDirectory.class);
    private static final String PREFIX = "engine-";
    private static final String LOCK_SUFFIX = ".lock";

    private final Path directory;
    private final Path lockFile;
    private final FileChannel channel;

    private SpillDirectory(Path directory, Path lockFile, FileChannel channel) {
        this.directory = directory;
        this.lockFile = lockFile;
        this.channel = channel;
    }

    static SpillDirectory create(Path parent) throws IOException {
        Files.createDirectories(parent);
        removeAbandoned(parent);
        Path lockFile = Files.createTempFile(parent, ownPrefix(), LOCK_SUFFIX);
        FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new IOException("Lock file " + lockFile + " is held by another process");
            }
            Path directory = directoryOf(lockFile);
            Files.createDirectory(directory);
            return new SpillDirectory(directory, lockFile, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    Path path() {
        return directory;
    }

    /** A new directory inside, for one database. */
    Path subdirectory() throws IOException {
        return Files.createTempDirectory(directory, "database-");
    }

    @Override
    public void close() throws IOException {
        deleteTree(directory);
        Files.deleteIfExists(lockFile);
        channel.close();
    }

    private static String ownPrefix() {
        return PREFIX + ProcessHandle.current().pid() + "-";
    }

    private static void removeAbandoned(Path parent) throws IOException {
        try (DirectoryStream<Path> locks =
                Files.newDirectoryStream(parent, PREFIX + "*" + LOCK_SUFFIX)) {
            for (Path lockFile : locks) {
                // Closing any channel of a file gives up all locks of this process on it.
                if (!lockFile.getFileName().toString().startsWith(ownPrefix())) {
                    removeIfAbandoned(lockFile);
                }
            }
        }
    }

    private static void removeIfAbandoned(Path lockFile) {
        try (FileChannel other = FileChannel.open(lockFile, StandardOpenOption.WRITE);
                FileLock lock = other.tryLock()) {
            if (lock != null) {
                deleteTree(directoryOf(lockFile));
                Files.deleteIfExists(lockFile);
            }
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("lockFile", lockFile)
                    .addKeyValue("reason", e.toString())
                    .log("Spilled files of a dead process stay");
        }
    }

    private static Path directoryOf(Path lockFile) {
        String name = lockFile.getFileName().toString();
        return lockFile.resolveSibling(name.substring(0, name.length() - LOCK_SUFFIX.length()));
    }

    static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(root)) {
            paths = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.deleteIfExists(path);
        }
    }
}
