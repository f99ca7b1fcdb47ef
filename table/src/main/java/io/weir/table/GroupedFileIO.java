package io.weir.table;

import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SupportsBulkOperations;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Files on local disks like {@link LocalFileIO}, but made durable together: when a metadata file is
 * complete, which nobody knows of before the catalog does, all files before it and their
 * directories are forced to disk, at once. Safe for use by several threads.
 */
public final class GroupedFileIO implements SupportsBulkOperations {
    private static final long serialVersionUID = 1L;
    private static final String METADATA = ".metadata.json";
    private static final int FORCERS_COUNT = 8;

    /** A disk forces many files at once in the time of one. */
    private static final ExecutorService FORCERS =
            Executors.newFixedThreadPool(FORCERS_COUNT, action -> {
                Thread thread = new Thread(action, "weir-force");
                thread.setDaemon(true);
                return thread;
            });

    private final LocalFileIO files = new LocalFileIO();
    private final transient Set<Path> pending = new LinkedHashSet<>();

    @Override
    public InputFile newInputFile(String location) {
        return files.newInputFile(location);
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return new GroupedOutput(location, LocalFileIO.pathOf(location));
    }

    @Override
    public void deleteFile(String location) {
        synchronized (pending) {
            pending.remove(LocalFileIO.pathOf(location));
        }
        files.deleteFile(location);
    }

    @Override
    public void deleteFiles(Iterable<String> locations) {
        LocalFileIO.deleteAll(locations, this::deleteFile);
    }

    private void complete(Path path) {
        List<Path> all;
        synchronized (pending) {
            pending.add(path);
            if (!path.toString().endsWith(METADATA)) {
                return;
            }
            all = new ArrayList<>(pending);
        }
        try {
            force(all);
        } catch (IOException e) {
            throw new RuntimeIOException(e, "Cannot force files to disk: %s", e.getMessage());
        }
        synchronized (pending) {
            all.forEach(pending::remove);
        }
    }

    private static void force(List<Path> paths) throws IOException {
        Set<Path> all = new LinkedHashSet<>(paths);
        paths.forEach(path -> all.add(DurableOutputStream.directoryOf(path)));
        List<Future<Boolean>> forced = new ArrayList<>();
        for (Path path : all) {
            forced.add(FORCERS.submit(() -> force(path)));
        }
        for (Future<Boolean> one : forced) {
            await(one);
        }
    }

    private static void await(Future<Boolean> forced) throws IOException {
        try {
            forced.get();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private static boolean force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
            return true;
        } catch (NoSuchFileException e) {
            // Deleted in the meantime, so nobody is going to name it.
            return false;
        }
    }

    private final class GroupedOutput implements OutputFile {
        private final String location;
        private final Path path;

        GroupedOutput(String location, Path path) {
            this.location = location;
            this.path = path;
        }

        @Override
        public PositionOutputStream create() {
            try {
                return DurableOutputStream.create(path, GroupedFileIO.this::complete);
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
                // Metadata files, too, have names of their own, though Iceberg does not insist.
                return DurableOutputStream.create(path, GroupedFileIO.this::complete);
            } catch (IOException e) {
                return files.newOutputFile(location).createOrOverwrite();
            }
        }

        @Override
        public String location() {
            return location;
        }

        @Override
        public InputFile toInputFile() {
            return files.newInputFile(location);
        }
    }
}
