package io.weir.ingest;

import io.weir.core.row.Balance;
import io.weir.ingest.commit.TableCommitter;
import io.weir.ingest.file.GrowingFile;
import io.weir.ingest.file.RowFileWriter;
import io.weir.ingest.row.RoutedRows;
import io.weir.ingest.row.RowBuffer;
import io.weir.table.StagedFile;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The files of the open transaction. Nobody reads them before the commit names them. A route with
 * many rows has a file that other threads write while more rows come in.
 */
final class TransactionFiles {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionFiles.class);

    private static final int ROOMS_MAX = 8;
    private static final byte[] NO_ROOM = {};

    private final TableCommitter committer;
    private final ConnectionStats stats;
    private final List<WrittenFile> files = new ArrayList<>();
    private final IdentityHashMap<RowBuffer, GrowingFile> growing = new IdentityHashMap<>();
    private final AtomicLong memory = new AtomicLong();
    private final Queue<byte[]> rooms = new ConcurrentLinkedQueue<>();

    TransactionFiles(TableCommitter committer, ConnectionStats stats) {
        this.committer = committer;
        this.stats = stats;
    }

    /** Bytes of heap that files take which are being written. */
    long memory() {
        return memory.get();
    }

    /** Takes the rows of a buffer away, to be written while others come in. */
    void grow(RowBuffer buffer, RoutedRows rows) {
        byte[] room = rooms.poll();
        file(buffer, rows).add(rows.take(buffer, room == null ? RowBuffer.room() : room));
    }

    private GrowingFile file(RowBuffer buffer, RoutedRows rows) {
        return growing.computeIfAbsent(
                buffer,
                key -> new GrowingFile(
                        committer.io(),
                        committer.newFile(),
                        rows.schema(),
                        buffer.route(),
                        memory,
                        this::giveBack));
    }

    /** A buffer that fills up again and again needs no new room each time. */
    private void giveBack(byte[] room) {
        if (RowBuffer.isRoom(room) && rooms.size() < ROOMS_MAX) {
            rooms.add(room);
        }
    }

    /** Writes the rows of every route to a file. */
    void writeAll(RoutedRows rows) throws IOException {
        List<RowBuffer> filled = rows.buffers().stream()
                .filter(buffer -> !buffer.isEmpty() || growing.containsKey(buffer))
                .toList();
        if (filled.size() == 1 && growing.isEmpty()) {
            // Another thread would not be done sooner.
            write(filled.get(0), rows);
            return;
        }
        write(filled, rows);
    }

    /** Writes the largest files until half of the memory is free again. */
    void makeRoom(RoutedRows rows, long limit) throws IOException {
        List<RowBuffer> largest = new ArrayList<>(rows.buffers());
        largest.sort(Comparator.comparing((RowBuffer buffer) -> growing.containsKey(buffer))
                .thenComparing(RowBuffer::memory)
                .reversed());
        for (RowBuffer buffer : largest) {
            if (rows.memory() + memory() <= limit / 2) {
                return;
            }
            if (growing.containsKey(buffer)) {
                write(List.of(buffer), rows);
                rows.release(List.of(buffer));
            } else if (!buffer.isEmpty()) {
                write(buffer, rows);
                rows.release(List.of(buffer));
            }
        }
    }

    private void write(RowBuffer buffer, RoutedRows rows) throws IOException {
        String path = committer.newFile();
        try (RowFileWriter writer =
                new RowFileWriter(committer.io(), path, rows.schema(), buffer.route())) {
            writer.add(buffer.lend());
            add(writer.finish(), buffer);
        }
    }

    /** Several files at once, by as many threads as there are processors. */
    private void write(List<RowBuffer> buffers, RoutedRows rows) throws IOException {
        Map<RowBuffer, CompletableFuture<StagedFile>> ending = new LinkedHashMap<>();
        for (RowBuffer buffer : buffers) {
            byte[] room = rooms.poll();
            ending.put(
                    buffer,
                    file(buffer, rows).end(rows.take(buffer, room == null ? NO_ROOM : room)));
        }
        for (Map.Entry<RowBuffer, CompletableFuture<StagedFile>> one : ending.entrySet()) {
            StagedFile file = GrowingFile.finish(one.getValue());
            growing.remove(one.getKey());
            add(file, one.getKey());
        }
    }

    private void add(StagedFile file, RowBuffer buffer) {
        files.add(new WrittenFile(file, buffer.balance()));
        stats.filesWritten.increment();
        stats.bytesWritten.add(file.bytes());
    }

    List<WrittenFile> files() {
        return List.copyOf(files);
    }

    List<StagedFile> staged() {
        return files.stream().map(WrittenFile::file).toList();
    }

    Balance balance() {
        return files.stream().map(WrittenFile::balance).reduce(Balance.ZERO, Balance::plus);
    }

    /** Forgets the files, which are the table's now. */
    void handOver() {
        files.clear();
    }

    /** Deletes the files; one that stays is an orphan, which the next process finds. */
    void delete() {
        for (GrowingFile file : growing.values()) {
            try {
                file.abandon();
            } catch (IOException | RuntimeException e) {
                LOG.atWarn().setCause(e).log("File of an aborted transaction not deleted");
            }
        }
        growing.clear();
        memory.set(0);
        for (WrittenFile written : files) {
            try {
                committer.io().deleteFile(written.file().path());
            } catch (RuntimeException e) {
                LOG.atWarn()
                        .setCause(e)
                        .addKeyValue("path", written.file().path())
                        .log("File of an aborted transaction not deleted");
            }
        }
        files.clear();
    }
}
