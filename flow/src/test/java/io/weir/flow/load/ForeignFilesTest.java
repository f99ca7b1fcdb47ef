package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.ReadOptions;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.PartitionBy;
import io.weir.core.run.KeyRange;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.engine.WrittenFile;
import io.weir.source.ChunkTotals;
import io.weir.source.PartitionRows;
import io.weir.source.Source;
import io.weir.source.SourceSnapshot;
import io.weir.source.SourceTable;
import io.weir.source.TableReader;
import io.weir.source.TableSpec;
import io.weir.table.LakeTable;
import io.weir.table.LocalFileIO;

import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Files of a worker in another process: only the ledger and the files themselves tell of them. */
class ForeignFilesTest {
    private static final LoadJob JOB =
            PartitionedLoadTest.job("events", "day(seen)", PublishMode.APPEND);

    @TempDir
    Path directory;

    private LoadHouse house;

    @BeforeEach
    void open() {
        house = new LoadHouse(directory);
        house.shop.execute("create table events (id bigint primary key, seen timestamptz)", """
                insert into events
                select n, timestamptz '2026-11-29 23:30:00+00' + n * interval '1 hour'
                from generate_series(0, 30) as n
                """);
    }

    @AfterEach
    void close() {
        house.close();
    }

    /** How the worker writes what it has claimed. */
    @FunctionalInterface
    private interface Worker {
        void work(WorkOrder order, LakeTable table, TableReader reader);
    }

    /** A run up to its publish, which knows nothing of what the worker wrote. */
    private Run publish(Worker worker) {
        try (Source source = house.source();
                SourceSnapshot snapshot = source.openSnapshot(List.of(JOB.table()), 1)) {
            SourceTable from = snapshot.table(JOB.table());
            LakeTable table = house.catalog.prepare(
                    JOB.target(), from.columns(), from.primaryKey(), JOB.partitionBy());
            Run run = house.ledger.createRun(new CreateRun(
                    UUID.randomUUID().toString(),
                    JOB.name(),
                    "all",
                    "shop",
                    from.qualifiedName(),
                    JOB.target(),
                    JOB.publish(),
                    table.dataRoot(),
                    true,
                    Duration.ofMinutes(5),
                    Duration.ofHours(6),
                    RecoveryMode.REISSUE,
                    null));
            house.ledger.registerManifest(run.id(), manifest(snapshot, from));
            WorkOrder order = house.ledger
                    .claimNext(run.id(), UUID.randomUUID(), "elsewhere")
                    .orElseThrow();
            worker.work(order, table, snapshot.reader(0));
            return settlement().settle(run.id()).get(0).run();
        }
    }

    /** Knows nothing of what the worker wrote. */
    private RunSettlement settlement() {
        return new RunSettlement(
                house.ledger,
                house.ledger,
                house.catalog,
                house.engine,
                LoadHouse.SETTINGS,
                UUID::randomUUID,
                house.cancellation);
    }

    private static Manifest manifest(SourceSnapshot snapshot, SourceTable from) {
        return new Manifest(
                snapshot.token(),
                null,
                snapshot.consistency(),
                31,
                from.columns().stream().map(column -> column.name()).toList(),
                from.primaryKey(),
                ReadOptions.NONE,
                List.of(
                        new Measure(MetricName.ROW_COUNT, "31"),
                        new Measure(MetricName.MISPLACED_ROWS, "0")),
                List.of(new Manifest.Part(PartitionId.ofIndex(0), KeyRange.ALL, null)));
    }

    @Test
    void findTheirPartitionByThemselves() {
        Run run = publish((order, table, reader) -> new PartitionExtract(
                        house.ledger,
                        house.engine,
                        JOB.table(),
                        table.partitionBy(),
                        table.schema(),
                        null,
                        new ChunkSizer(JOB.chunkBytes()),
                        new WrittenFiles())
                .extract(order, reader, new PartitionMeter(PartitionId.ofIndex(0), 0).begin()));

        assertThat(run.state()).isEqualTo(RunState.SUCCESS);
        try (Witness witness = new Witness(house, directory.resolve("lake"))) {
            assertThat(witness.misplaced(JOB.target())).isEmpty();
            assertThat(witness.files(JOB.target())).hasSize(3);
            assertThat(witness.ids(
                            JOB.target(),
                            Expressions.lessThan("seen", "2026-11-30T00:00:00+00:00")))
                    .containsExactly(0L);
        }
    }

    @Test
    void areRefusedIfTheyHoldRowsOfSeveralPartitions() {
        assertThatThrownBy(() -> publish(this::writeAllIntoOneFile))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.VALIDATION_FAILED))
                .hasMessageContaining("misplaced_rows: expected 0, found 30")
                .hasMessageContaining("0000-000000.parquet");

        LakeTable table = house.catalog.load(JOB.target());
        assertThat(table.filesOf(table.currentSnapshotId())).isEmpty();
    }

    /** Every balance is right: only the place of the rows is not. */
    private void writeAllIntoOneFile(WorkOrder order, LakeTable table, TableReader reader) {
        TableSpec spec = JOB.table();
        try (PartitionRows rows =
                reader.read(spec, table.schema(), order.range(), PartitionBy.NOTHING)) {
            WrittenFile written;
            try (ArrowReader chunk = rows.nextChunk(1 << 20)) {
                written = house.engine.write(
                        chunk, table.schema(), LocalFileIO.pathOf(order.file(0)));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            ChunkTotals totals = rows.totals();
            house.ledger.reportChunks(
                    order.claim(),
                    List.of(new ChunkReport(
                            0,
                            written.bytes(),
                            totals.balance(),
                            totals.losses(),
                            rows.exhausted())));
        }
    }
}
