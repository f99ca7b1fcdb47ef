package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.RunDetail;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.KeyedRows;
import io.weir.core.route.PartitionField;
import io.weir.core.route.PartitionKey;
import io.weir.core.route.Route;
import io.weir.core.run.Run;
import io.weir.engine.Engine;
import io.weir.engine.MeasuredFile;
import io.weir.engine.Measurement;
import io.weir.engine.RoutedFile;
import io.weir.table.FileEntry;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;
import io.weir.table.Removal;
import io.weir.table.StagedFile;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Knows where the files of a run belong in a target that is partitioned. */
final class TargetPartitions {
    private final Engine engine;
    private final WrittenFiles written;

    TargetPartitions(Engine engine, WrittenFiles written) {
        this.engine = engine;
        this.written = written;
    }

    /** The files of a run as the table wants them, whoever wrote them. */
    List<StagedFile> files(RunDetail detail, LakeTable table) {
        return detail.chunks().stream()
                .filter(chunk -> chunk.path() != null)
                .map(chunk -> written.staged(chunk, path -> described(path, table)))
                .toList();
    }

    /**
     * What the run takes the place of, measured from the files themselves: nobody else can tell the
     * balance of rows that other runs published.
     *
     * @param base the snapshot that the attempt is staged on
     * @return null unless the run replaces a partition
     * @throws WeirException {@link ErrorCode#FILE_UNREADABLE} if such a file cannot be measured;
     *     {@link ErrorCode#VALIDATION_FAILED} if it does not hold what the table says
     */
    @Nullable
    Removal removal(Run run, LakeTable table, long base) {
        if (run.publishMode() != PublishMode.REPLACE_PARTITIONS) {
            return null;
        }
        KeyedRows rows = rows(run, table);
        List<FileEntry> files = table.filesOf(base, rows);
        Measurement measured = engine.measure(
                files.stream()
                        .map(file -> new RoutedFile(LocalFileIO.pathOf(file.path()), file.route()))
                        .toList(),
                table.partitionBy(),
                table.schema(),
                List.of());
        for (int i = 0; i < files.size(); i++) {
            MeasuredFile found = measured.files().get(i);
            if (found.balance().rows() != files.get(i).rows() || found.misplacedRows() > 0) {
                throw new WeirException(
                        ErrorCode.VALIDATION_FAILED,
                        "Cannot replace file "
                                + files.get(i).path()
                                + ": it holds other rows than the table says (listed="
                                + files.get(i).rows()
                                + ", found="
                                + found.balance().rows()
                                + ", out of place="
                                + found.misplacedRows()
                                + ")");
            }
        }
        return new Removal(rows, files, measured.balance());
    }

    /**
     * Reads back what a published run replaced: where its rows are there is nothing else, and no
     * file of another partition went.
     *
     * @throws WeirException {@link ErrorCode#VALIDATION_FAILED}
     */
    void verifyReplaced(Run run, RunDetail detail, LakeTable table, long snapshotId) {
        if (run.publishMode() != PublishMode.REPLACE_PARTITIONS) {
            return;
        }
        KeyedRows rows = rows(run, table);
        Set<String> own = new HashSet<>();
        detail.chunks().forEach(chunk -> own.add(chunk.path()));
        requireNone(
                run,
                "a file beside those of the run is in the partition",
                table.filesOf(snapshotId, rows).stream()
                        .filter(file -> !own.contains(file.path())));
        requireNone(
                run,
                "a file of another partition was removed",
                table.removedBy(snapshotId).stream().filter(file -> !rows.holds(file.route())));
        requireBalance(run, table, snapshotId);
    }

    /** What the books of the table say must be what its manifests count. */
    private static void requireBalance(Run run, LakeTable table, long snapshotId) {
        long listed =
                table.filesOf(snapshotId).stream().mapToLong(FileEntry::rows).sum();
        long balanced = table.balanceOf(snapshotId).rows();
        if (listed != balanced) {
            throw new WeirException(
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot confirm run "
                            + run.id()
                            + ": its snapshot holds other rows than its balance says (listed="
                            + listed
                            + ", balance="
                            + balanced
                            + ")");
        }
    }

    private static void requireNone(Run run, String reason, Stream<FileEntry> files) {
        Optional<FileEntry> file = files.findFirst();
        if (file.isPresent()) {
            throw new WeirException(
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot confirm run "
                            + run.id()
                            + ": "
                            + reason
                            + " (partition="
                            + run.businessKey()
                            + ", file="
                            + file.get().path()
                            + ")");
        }
    }

    private static KeyedRows rows(Run run, LakeTable table) {
        PartitionField field = table.partitionBy().first();
        return new PartitionKey(field, run.businessKey())
                .rows(table.schema().column(field.column()));
    }

    private WrittenFiles.Routed described(String path, LakeTable table) {
        return new WrittenFiles.Routed(
                engine.describe(LocalFileIO.pathOf(path), table.schema()), routeOf(path, table));
    }

    /** By the first row of the file; the audit asks the others. */
    private Route routeOf(String path, LakeTable table) {
        return table.partitionBy().isPartitioned()
                ? engine.routeOf(LocalFileIO.pathOf(path), table.schema(), table.partitionBy())
                : Route.NONE;
    }
}
