package io.weir.ingest.file;

import io.weir.core.route.Route;
import io.weir.core.row.RowSchema;
import io.weir.ingest.row.RowChunk;
import io.weir.table.StagedFile;

import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A file that other threads write while its rows still come in. One thread adds chunks and ends the
 * file; what goes wrong behind its back is told by {@link #finish}.
 */
public final class GrowingFile {
    private static final int ENCODERS = Runtime.getRuntime().availableProcessors();
    private static final long IDLE_SECONDS = 10;
    private static final int WAITING_MAX = 4;

    /** Shared by all connections: more threads than processors encode no faster. */
    private static final Executor POOL = pool();

    private final FileIO io;
    private final String path;
    private final RowSchema schema;
    private final Route route;
    private final AtomicLong memory;
    private final Consumer<byte[]> giveBack;
    private final CompletableFuture<?>[] recent = new CompletableFuture<?>[WAITING_MAX];
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private int chunks;

    /** Used by one task at a time, each of which sees what the one before it did. */
    private @Nullable RowFileWriter writer;

    private long encoded;

    /**
     * A file that does not exist yet.
     *
     * @param path full location
     * @param memory grows and shrinks by the bytes of heap that the file takes
     * @param giveBack gets the room of rows that are written; any thread calls it
     */
    public GrowingFile(
            FileIO io,
            String path,
            RowSchema schema,
            Route route,
            AtomicLong memory,
            Consumer<byte[]> giveBack) {
        this.io = io;
        this.path = path;
        this.schema = schema;
        this.route = route;
        this.memory = memory;
        this.giveBack = giveBack;
    }

    private static Executor pool() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                ENCODERS,
                ENCODERS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "weir-encode");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Takes rows; waits while several chunks before them are not written yet. */
    public void add(RowChunk chunk) {
        int slot = chunks++ % WAITING_MAX;
        CompletableFuture<?> before = recent[slot];
        if (before != null) {
            before.exceptionally(failure -> null).join();
        }
        memory.addAndGet(chunk.bytes().length);
        last = last.thenRunAsync(() -> write(chunk), POOL);
        recent[slot] = last;
    }

    private void write(RowChunk chunk) {
        try {
            RowFileWriter open = writer;
            if (open == null) {
                open = new RowFileWriter(io, path, schema, route);
                writer = open;
            }
            open.add(chunk);
            long now = open.memory();
            memory.addAndGet(now - encoded - chunk.bytes().length);
            encoded = now;
            giveBack.accept(chunk.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Lets the file be ended as soon as all chunks are written, and not later: of many files only a
     * few are open at a time.
     *
     * @param rest rows that nobody took yet; may be none
     */
    public CompletableFuture<StagedFile> end(RowChunk rest) {
        memory.addAndGet(rest.bytes().length);
        CompletableFuture<StagedFile> ended = last.thenApplyAsync(
                done -> {
                    write(rest);
                    return finished();
                },
                POOL);
        last = ended;
        return ended;
    }

    private StagedFile finished() {
        RowFileWriter open = writer;
        if (open == null) {
            throw new IllegalStateException("No rows in " + path);
        }
        try {
            StagedFile file = open.finish();
            memory.addAndGet(-encoded);
            encoded = 0;
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits for a file that is being ended.
     *
     * @param ended what {@link #end} returned
     * @throws IOException if any of its rows could not be written
     */
    public static StagedFile finish(CompletableFuture<StagedFile> ended) throws IOException {
        try {
            return ended.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof UncheckedIOException failed) {
                throw failed.getCause();
            }
            throw cause instanceof RuntimeException known ? known : e;
        }
    }

    /** Deletes what was written, once nobody writes any more. */
    public void abandon() throws IOException {
        last.exceptionally(failure -> null).join();
        RowFileWriter open = writer;
        if (open != null && open.isFinished()) {
            io.deleteFile(path);
        } else if (open != null) {
            open.close();
        }
    }
}
