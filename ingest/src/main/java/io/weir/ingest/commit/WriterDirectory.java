package io.weir.ingest.commit;

import io.weir.table.IngestTable;
import io.weir.table.LeftFiles;
import io.weir.table.LocalFileIO;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Where one process writes the files of one table. A lock on a file in it, which the system
 * releases with the process, says that somebody may still commit what is there. Without a lock, a
 * file that no snapshot names is an orphan.
 */
final class WriterDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WriterDirectory.class);
    private static final String LEASE = ".lease";
    private static final String PARENT = "/ingest";

    private final Path path;
    private final FileChannel channel;
    private final AtomicLong files = new AtomicLong();
    private volatile boolean kept;

    private WriterDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Makes a directory of this process. */
    static WriterDirectory create(String dataRoot) throws IOException {
        Path parent = LocalFileIO.pathOf(dataRoot + PARENT);
        while (true) {
            Path path = parent.resolve(UUID.randomUUID().toString());
            Files.createDirectories(path);
            Path lease = path.resolve(LEASE);
            FileChannel channel = FileChannel.open(
                    lease, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            // Somebody who cleans up may have been between the two lines above.
            if (lock(channel) && Files.exists(lease)) {
                return new WriterDirectory(path, channel);
            }
            channel.close();
        }
    }

    /** Location of a file that does not exist yet. */
    String newFile() {
        String name = String.format("%08d.parquet", files.incrementAndGet());
        return LocalFileIO.locationOf(path.resolve(name));
    }

    /** What is here may have been committed, and only somebody who fences first can know. */
    void keep() {
        kept = true;
    }

    /** Everything is committed or deleted. */
    @Override
    public void close() {
        try {
            if (!kept) {
                Files.deleteIfExists(path.resolve(LEASE));
                deleteIfEmpty(path);
            }
            channel.close();
        } catch (IOException e) {
            LOG.atWarn().setCause(e).addKeyValue("path", path).log("Lease not released");
        }
    }

    /**
     * Deletes what processes that are gone have left.
     *
     * @return how many files
     */
    static long clean(IngestTable table, String dataRoot) throws IOException {
        Path parent = LocalFileIO.pathOf(dataRoot + PARENT);
        if (!Files.isDirectory(parent)) {
            return 0;
        }
        List<Path> directories;
        try (Stream<Path> children = Files.list(parent)) {
            directories =
                    children.filter(child -> Files.exists(child.resolve(LEASE))).toList();
        }
        long deleted = 0;
        for (Path directory : directories) {
            deleted += cleanOne(table, directory);
        }
        return deleted;
    }

    private static long cleanOne(IngestTable table, Path directory) throws IOException {
        Path lease = directory.resolve(LEASE);
        try (FileChannel channel = FileChannel.open(lease, StandardOpenOption.WRITE)) {
            if (!lock(channel) || !Files.exists(lease)) {
                return 0;
            }
            LeftFiles left = table.abandoned(LocalFileIO.locationOf(directory));
            left.delete();
            long deleted = left.files() - 1;
            Files.deleteIfExists(lease);
            deleteIfEmpty(directory);
            LOG.atInfo()
                    .addKeyValue("table", table.target())
                    .addKeyValue("files", deleted)
                    .log("Files of a writer that is gone deleted");
            return deleted;
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            // Released with the channel; nobody asks for the object.
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static void deleteIfEmpty(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        boolean empty;
        try (Stream<Path> children = Files.list(directory)) {
            empty = children.findAny().isEmpty();
        }
        if (empty) {
            Files.delete(directory);
        }
    }
}
