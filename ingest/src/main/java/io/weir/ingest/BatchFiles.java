package io.weir.ingest;

import io.weir.core.error.WeirException;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.Route;
import io.weir.core.row.Balance;
import io.weir.core.row.RowSchema;
import io.weir.ingest.commit.TableCommitter;
import io.weir.ingest.file.RowFileReader;
import io.weir.ingest.file.RowFileWriter;
import io.weir.ingest.row.RoutedRows;
import io.weir.ingest.row.RowBuffer;
import io.weir.table.IngestLook;
import io.weir.table.StagedFile;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The small files that the transactions of a batch committed, and their end: one file for each
 * route. The rows are read from the files and digested anew, so that a rewrite proves itself.
 */
final class BatchFiles {
    private static final Logger LOG = LoggerFactory.getLogger(BatchFiles.class);
    private static final long FILE_BYTES_MAX = 64L << 20;
    private static final long GROUP_BYTES = 64L << 20;

    private final TableCommitter committer;
    private final ConnectionStats stats;
    private final List<WrittenFile> files = new ArrayList<>();
    private RowSchema schema = new RowSchema(List.of(), List.of());

    BatchFiles(TableCommitter committer, ConnectionStats stats) {
        this.committer = committer;
        this.stats = stats;
    }

    /** Remembers what a transaction committed; files of an older schema stay as they are. */
    void add(List<WrittenFile> committed, IngestLook look) {
        if (!schema.equals(look.schema())) {
            files.clear();
            schema = look.schema();
        }
        for (WrittenFile written : committed) {
            if (written.file().bytes() <= FILE_BYTES_MAX) {
                files.add(written);
            }
        }
    }

    /** Puts the files together where there are several. A failure changes nothing for readers. */
    void rewrite() {
        Map<Route, List<WrittenFile>> routes = new LinkedHashMap<>();
        files.forEach(written -> routes.computeIfAbsent(
                        written.file().route(), route -> new ArrayList<>())
                .add(written));
        routes.values().removeIf(list -> list.size() < 2);
        files.clear();
        if (routes.isEmpty()) {
            return;
        }
        List<WrittenFile> made = new ArrayList<>();
        try {
            List<WrittenFile> old = new ArrayList<>();
            for (Map.Entry<Route, List<WrittenFile>> entry : routes.entrySet()) {
                made.add(together(entry.getKey(), entry.getValue()));
                old.addAll(entry.getValue());
            }
            stats.catalogCalls.increment();
            Long snapshotId = committer.rewrite(staged(old), staged(made), sum(old), sum(made));
            if (snapshotId == null) {
                delete(made);
            } else {
                stats.batchRewrites.increment();
            }
        } catch (IOException | RuntimeException e) {
            stats.batchRewriteFailures.increment();
            if (!(e instanceof WeirException known)
                    || known.code() != io.weir.core.error.ErrorCode.TABLE_COMMIT_UNKNOWN) {
                delete(made);
            }
            LOG.atWarn().setCause(e).log("Small files of a batch stay as they are");
        }
    }

    private WrittenFile together(Route route, List<WrittenFile> list) throws IOException {
        RowFileReader reader = new RowFileReader(committer.io(), schema);
        RoutedRows rows = new RoutedRows(schema, PartitionBy.NOTHING);
        Balance balance = Balance.ZERO;
        try (RowFileWriter writer =
                new RowFileWriter(committer.io(), committer.newFile(), schema, route)) {
            for (int i = 0; i < list.size(); i++) {
                reader.read(list.get(i).file().path(), rows);
                if (rows.memory() > GROUP_BYTES || i == list.size() - 1) {
                    for (RowBuffer buffer : rows.buffers()) {
                        balance = balance.plus(buffer.balance());
                        writer.add(buffer.lend());
                    }
                    writer.endGroup();
                    rows.clear();
                }
            }
            return new WrittenFile(writer.finish(), balance);
        }
    }

    private static List<StagedFile> staged(List<WrittenFile> list) {
        return list.stream().map(WrittenFile::file).toList();
    }

    private static Balance sum(List<WrittenFile> list) {
        return list.stream().map(WrittenFile::balance).reduce(Balance.ZERO, Balance::plus);
    }

    private void delete(List<WrittenFile> list) {
        for (WrittenFile written : list) {
            try {
                committer.io().deleteFile(written.file().path());
            } catch (RuntimeException e) {
                LOG.atWarn().setCause(e).log("File of a rewrite not deleted");
            }
        }
    }
}
