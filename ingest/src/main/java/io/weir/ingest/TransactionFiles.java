package io.weir.ingest;

import io.weir.core.row.Balance;
import io.weir.ingest.commit.TableCommitter;
import io.weir.ingest.file.RowFileWriter;
import io.weir.ingest.row.RoutedRows;
import io.weir.ingest.row.RowBuffer;
import io.weir.table.StagedFile;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The files of the open transaction. Nobody reads them before the commit names them. */
final class TransactionFiles {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionFiles.class);

    private final TableCommitter committer;
    private final ConnectionStats stats;
    private final List<WrittenFile> files = new ArrayList<>();

    TransactionFiles(TableCommitter committer, ConnectionStats stats) {
        this.committer = committer;
        this.stats = stats;
    }

    /** Writes the rows of every route to a file. */
    void writeAll(RoutedRows rows) throws IOException {
        for (RowBuffer buffer : rows.buffers()) {
            if (!buffer.isEmpty()) {
                write(buffer, rows);
            }
        }
    }

    /** Writes the largest buffers until half of the memory is free again. */
    void makeRoom(RoutedRows rows, long limit) throws IOException {
        List<RowBuffer> largest = new ArrayList<>(rows.buffers());
        largest.sort(Comparator.comparingLong(RowBuffer::memory).reversed());
        for (RowBuffer buffer : largest) {
            if (rows.memory() <= limit / 2) {
                return;
            }
            if (!buffer.isEmpty()) {
                write(buffer, rows);
                rows.release(List.of(buffer));
            }
        }
    }

    private void write(RowBuffer buffer, RoutedRows rows) throws IOException {
        String path = committer.newFile();
        try (RowFileWriter writer =
                new RowFileWriter(committer.io(), path, rows.schema(), buffer.route())) {
            writer.add(buffer);
            StagedFile file = writer.finish();
            files.add(new WrittenFile(file, buffer.balance()));
            stats.filesWritten.increment();
            stats.bytesWritten.add(file.bytes());
        }
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
