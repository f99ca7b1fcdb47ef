package io.weir.bench;

import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.PartitionBy;
import io.weir.core.row.Balance;
import io.weir.core.row.BalanceSum;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;
import io.weir.core.run.RunId;
import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;
import io.weir.engine.MergeStrategy;
import io.weir.engine.Uniqueness;
import io.weir.engine.WrittenFile;
import io.weir.flow.changelog.ChangeLogs;
import io.weir.flow.changelog.LogSettings;
import io.weir.flow.merge.LogTableFiles;
import io.weir.flow.merge.MergeAnswer;
import io.weir.flow.merge.MergeOrder;
import io.weir.flow.merge.MergePlan;
import io.weir.flow.merge.MergeStop;
import io.weir.flow.merge.ReadBack;
import io.weir.flow.merge.WindowMerge;
import io.weir.source.SourceConfig;
import io.weir.table.CatalogConfig;
import io.weir.table.LakeCatalog;
import io.weir.table.LocalFileIO;
import io.weir.table.LogPosition;
import io.weir.table.LogTable;
import io.weir.table.Published;
import io.weir.table.ReplicaTable;
import io.weir.table.StagedFile;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** Tables of several sizes, each with a window to merge, and Weir in this process. */
final class MergeSide implements AutoCloseable {
    private static final long ENGINE_BYTES = 384L << 20;
    private static final long FILE_ROWS = 2_000_000;
    private static final long LOG_ROWS_MAX = 1L << 40;

    private final LakeCatalog catalog;
    private final Engine engine;
    private final WindowMerge merge;
    private final Path directory;
    private final MergeRows rows = new MergeRows();
    private long epoch;

    MergeSide(SourceConfig database, Path directory) {
        int cores = Runtime.getRuntime().availableProcessors();
        this.directory = directory;
        this.catalog = LakeCatalog.open(new CatalogConfig(
                "weir",
                database.url(),
                database.user(),
                database.password(),
                LocalFileIO.locationOf(directory.resolve("lake"))));
        this.engine =
                Engine.open(new EngineConfig(ENGINE_BYTES, cores, directory.resolve("scratch")));
        this.merge = new WindowMerge(engine);
    }

    /**
     * A table and its window.
     *
     * @param base the snapshot before the window
     */
    record Filled(ReplicaTable table, LogTable log, long base, LogPosition end, long changes) {}

    /** Makes a table of so many rows, and a change log with so many changes of it. */
    Filled fill(String name, long count, long changes) throws IOException {
        ReplicaTable table = catalog.prepareReplica(
                "bench." + name,
                MergeRows.SCHEMA.columns(),
                MergeRows.SCHEMA.key(),
                PartitionBy.NOTHING);
        PublishAttempt attempt = attempt(table);
        List<StagedFile> files = new ArrayList<>();
        Balance balance = write(table, attempt, count, files);
        long staged = table.lake().stage(attempt, PublishMode.APPEND, files, balance);
        require(table.publish(attempt.withStaged(staged)));
        table.begin(LogPosition.NONE, true);
        LogTable log =
                catalog.prepareLog("bench." + name + "_log", MergeStream.TABLE, table.rows());
        capture(log, count, changes);
        LogPosition end = log.position();
        if (end.place() != MergeStream.end(changes)) {
            throw new IllegalStateException("The log ends at " + end);
        }
        return new Filled(table, log, table.lake().currentSnapshotId(), end, changes);
    }

    private Balance write(
            ReplicaTable table, PublishAttempt attempt, long count, List<StagedFile> files)
            throws IOException {
        List<Column> columns = new ArrayList<>(table.rows().columns());
        columns.add(table.rowHash());
        RowSchema schema = new RowSchema(columns, table.rows().key());
        BalanceSum sum = new BalanceSum();
        try (BufferAllocator allocator = new RootAllocator()) {
            for (long from = 0; from < count; from += FILE_ROWS) {
                long to = Math.min(count, from + FILE_ROWS);
                String path = table.lake().dataRoot() + "/run=" + attempt.runId() + "/" + from
                        + ".parquet";
                try (MergeBatches batches =
                        new MergeBatches(allocator, rows, table.rowHash().name(), from, to)) {
                    files.add(
                            staged(path, engine.write(batches, schema, LocalFileIO.pathOf(path))));
                }
                for (long number = from; number < to; number++) {
                    UUID digest = rows.digest(MergeRows.row(number, 0));
                    sum.add(digest.getMostSignificantBits(), digest.getLeastSignificantBits());
                }
            }
        }
        return sum.balance();
    }

    private static StagedFile staged(String path, WrittenFile file) {
        return new StagedFile(
                path,
                file.rows(),
                file.bytes(),
                new StagedFile.ColumnMetrics(
                        file.columnSizes(),
                        file.valueCounts(),
                        file.nullCounts(),
                        file.lowerBounds(),
                        file.upperBounds()),
                file.splitOffsets());
    }

    private void capture(LogTable log, long count, long changes) {
        MergeStream stream = new MergeStream(count, changes);
        LogSettings settings =
                new LogSettings(LOG_ROWS_MAX, Duration.ofDays(1), directory.resolve("buffers"));
        try (ChangeLogs keeper = new ChangeLogs(
                stream,
                Map.of(MergeStream.TABLE, log),
                engine,
                settings,
                InstantSource.system(),
                () -> {},
                step -> {})) {
            keeper.run(stream::isEmpty);
        }
    }

    /** Merges, audits and publishes the window; returns the seconds that took. */
    double merge(Filled filled, Uniqueness uniqueness) throws Exception {
        return Clock.seconds(() -> {
            PublishAttempt attempt = attempt(filled.table());
            MergeOrder order = new MergeOrder(
                    filled.table(),
                    new LogTableFiles(filled.log()),
                    MergeStrategy.ROW_HASH,
                    uniqueness,
                    LogPosition.NONE,
                    filled.end());
            MergeAnswer answer = merge.plan(
                    order,
                    attempt.baseSnapshotId(),
                    filled.table().lake().dataRoot() + "/run=" + attempt.runId() + "/e="
                            + attempt.epoch() + "/");
            if (answer instanceof MergeStop stop) {
                throw stop.toException();
            }
            MergePlan plan = (MergePlan) answer;
            PublishAttempt staged;
            try (ReadBack read = merge.readBack(plan)) {
                staged = attempt.withStaged(merge.stage(attempt, plan));
                merge.audit(staged, plan, read);
            }
            require(merge.publish(staged, plan));
            long expected = plan.opening().rows();
            if (plan.events() != filled.changes() || plan.closing().rows() != expected) {
                throw new IllegalStateException("Merged " + plan.events() + " changes into "
                        + plan.closing() + " rows of " + expected);
            }
        });
    }

    /** Makes the table what it was before the window. */
    void reset(Filled filled) {
        filled.table().rollback(filled.base());
    }

    /** Where the newest metadata file of a table of Weir is. */
    static Path metadata(String location) throws IOException {
        Path metadata = LocalFileIO.pathOf(location).resolveSibling("metadata");
        try (Stream<Path> files = Files.list(metadata)) {
            return files.filter(file -> file.toString().endsWith(".metadata.json"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }

    private PublishAttempt attempt(ReplicaTable table) {
        return new PublishAttempt(
                table.target(),
                ++epoch,
                new RunId(UUID.randomUUID()),
                UUID.randomUUID(),
                AttemptState.OPEN,
                table.lake().currentSnapshotId(),
                null,
                null);
    }

    private static void require(Published published) {
        if (published.outcome() != Published.Outcome.PUBLISHED) {
            throw new IllegalStateException(published.reason());
        }
    }

    @Override
    public void close() {
        engine.close();
        catalog.close();
    }
}
