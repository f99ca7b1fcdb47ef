package io.weir.table;

import org.apache.iceberg.io.PositionOutputStream;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Writes one file that survives a crash once {@link #close()} returned: the bytes are forced to
 * disk, then the directory entry; unless somebody else promised to do that. After a failed write
 * nothing is left under the name.
 */
final class DurableOutputStream extends PositionOutputStream {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Path target;
    private final Path written;
    private final FileChannel channel;
    private final @Nullable Consumer<Path> later;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long position;
    private boolean failed;
    private boolean closed;

    /** Writes to a channel that was opened for {@code written}, which becomes {@code target}. */
    DurableOutputStream(Path target, Path written, FileChannel channel) {
        this(target, written, channel, null);
    }

    private DurableOutputStream(
            Path target, Path written, FileChannel channel, @Nullable Consumer<Path> later) {
        this.target = target;
        this.written = written;
        this.channel = channel;
        this.later = later;
    }

    /**
     * A new file that somebody else makes durable.
     *
     * @param later gets the path when the file is complete
     */
    static DurableOutputStream create(Path path, Consumer<Path> later) throws IOException {
        createDirectories(directoryOf(path));
        return new DurableOutputStream(
                path,
                path,
                FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                later);
    }

    /** A new file; fails if there is one. */
    static DurableOutputStream create(Path path) throws IOException {
        return open(path, path);
    }

    /** A file that takes the place of an older one in one step, when it is closed. */
    static DurableOutputStream replace(Path path) throws IOException {
        String name = "." + path.getFileName() + "." + UUID.randomUUID() + ".tmp";
        return open(path, path.resolveSibling(name));
    }

    private static DurableOutputStream open(Path target, Path written) throws IOException {
        createDirectories(directoryOf(target));
        return new DurableOutputStream(
                target,
                written,
                FileChannel.open(written, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public void write(int value) throws IOException {
        if (!buffer.hasRemaining()) {
            drain();
        }
        buffer.put((byte) value);
        position++;
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        int from = offset;
        int left = length;
        while (left > 0) {
            if (!buffer.hasRemaining()) {
                drain();
            }
            int count = Math.min(left, buffer.remaining());
            buffer.put(source, from, count);
            from += count;
            left -= count;
        }
        position += length;
    }

    @Override
    public void flush() throws IOException {
        drain();
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (channel) {
            if (!failed) {
                drain();
                if (later == null) {
                    force();
                }
            }
        } finally {
            if (failed) {
                Files.deleteIfExists(written);
            }
        }
        if (failed) {
            return;
        }
        if (!written.equals(target)) {
            Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
        }
        if (later == null) {
            forceDirectory(directoryOf(target));
        } else {
            later.accept(target);
        }
    }

    private void drain() throws IOException {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            throw failure(e);
        } finally {
            buffer.clear();
        }
    }

    private void force() throws IOException {
        try {
            channel.force(true);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** The system's message lacks the path, and who has to make room needs it. */
    private IOException failure(IOException e) {
        failed = true;
        return new IOException("Cannot write file " + target + ": " + e.getMessage(), e);
    }

    /** Creates what is missing and makes each new entry durable in its parent. */
    private static void createDirectories(Path directory) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path path = directory; !Files.isDirectory(path); path = directoryOf(path)) {
            missing.push(path);
        }
        for (Path path : missing) {
            Files.createDirectories(path);
            forceDirectory(directoryOf(path));
        }
    }

    static void forceDirectory(Path directory) throws IOException {
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    static Path directoryOf(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }
}
