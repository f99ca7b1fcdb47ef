package io.weir.table;

import static io.weir.table.LakeFixture.attempt;
import static io.weir.table.LakeFixture.balance;
import static io.weir.table.LakeFixture.file;
import static io.weir.table.LakeFixture.load;
import static io.weir.table.LakeFixture.stageOne;
import static io.weir.table.LakeFixture.stagedId;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;

import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

class StageTest {
    @TempDir
    Path warehouse;

    private LakeFixture lake;
    private LakeTable table;

    @BeforeEach
    void open() {
        lake = new LakeFixture(warehouse);
        table = lake.prepare();
    }

    @AfterEach
    void close() {
        lake.close();
    }

    @Test
    void readersOfMainSeeNothingOfIt() {
        load(table, 1, PublishMode.APPEND, balance(2, 20));
        long main = table.currentSnapshotId();
        PublishAttempt attempt = attempt(table, 2);
        StagedFile a = file(table, attempt.runId(), "a", 3);
        StagedFile b = file(table, attempt.runId(), "b", 4);

        long staged = table.stage(attempt, PublishMode.APPEND, List.of(a, b), balance(7, 70));

        assertThat(table.currentSnapshotId()).isEqualTo(main);
        assertThat(table.balance()).isEqualTo(balance(2, 20));
        assertThat(table.filesOf(main)).extracting(FileEntry::rows).containsExactly(2L);
        assertThat(table.addedBy(staged))
                .containsExactlyInAnyOrder(
                        new FileEntry(a.path(), 3, a.bytes()),
                        new FileEntry(b.path(), 4, b.bytes()));
        assertThat(table.filesOf(staged))
                .extracting(FileEntry::rows)
                .containsExactlyInAnyOrder(2L, 3L, 4L);
        Snapshot snapshot = lake.foreignTable().snapshot(attempt.branch());
        assertThat(snapshot.snapshotId()).isEqualTo(staged);
        assertThat(snapshot.parentId()).isEqualTo(main);
        assertThat(snapshot.summary())
                .containsEntry("weir.balance.rows", "9")
                .containsEntry("weir.balance.digest", balance(9, 90).digestText())
                .containsEntry("weir.delta.rows", "7")
                .containsEntry("weir.delta.digest", balance(7, 70).digestText())
                .containsEntry("total-records", "9");
        assertThat(attempt.branch()).isEqualTo("weir-" + attempt.runId() + "-e2");
    }

    @Test
    void keepsWhatIsKnownAboutColumns() throws IOException {
        PublishAttempt attempt = attempt(table, 1);
        StagedFile bare = file(table, attempt.runId(), "a", 3);
        StagedFile.ColumnMetrics metrics = new StagedFile.ColumnMetrics(
                Map.of(1, 24L),
                Map.of(1, 3L, 2, 3L),
                Map.of(1, 0L, 2, 1L),
                Map.of(1, Conversions.toByteBuffer(Types.LongType.get(), 5L)),
                Map.of(1, Conversions.toByteBuffer(Types.LongType.get(), 9L)));
        StagedFile rich =
                new StagedFile(bare.path(), bare.rows(), bare.bytes(), metrics, List.of(4L));

        long staged = table.stage(attempt, PublishMode.REPLACE, List.of(rich), balance(3, 30));

        Table foreign = lake.foreignTable();
        try (CloseableIterable<FileScanTask> tasks =
                foreign.newScan().includeColumnStats().useSnapshot(staged).planFiles()) {
            DataFile file = tasks.iterator().next().file();
            assertThat(file.columnSizes()).isEqualTo(Map.of(1, 24L));
            assertThat(file.valueCounts()).isEqualTo(Map.of(1, 3L, 2, 3L));
            assertThat(file.nullValueCounts()).isEqualTo(Map.of(1, 0L, 2, 1L));
            assertThat(file.splitOffsets()).containsExactly(4L);
            Object lower = Conversions.fromByteBuffer(
                    Types.LongType.get(), file.lowerBounds().get(1));
            Object upper = Conversions.fromByteBuffer(
                    Types.LongType.get(), file.upperBounds().get(1));
            assertThat(lower).isEqualTo(5L);
            assertThat(upper).isEqualTo(9L);
        }
    }

    @Test
    void sameCallAgainFindsTheSameSnapshot() {
        PublishAttempt attempt = attempt(table, 1);
        List<StagedFile> files = List.of(file(table, attempt.runId(), "a", 3));
        long first = table.stage(attempt, PublishMode.REPLACE, files, balance(3, 30));

        assertThat(table.stage(attempt, PublishMode.REPLACE, files, balance(3, 30)))
                .isEqualTo(first);
        assertRefused(
                () -> table.stage(attempt, PublishMode.REPLACE, files, balance(3, 31)),
                ErrorCode.TABLE_MOVED,
                "Cannot stage run " + attempt.runId() + " on table sales.orders: the branch holds"
                        + " something else (branch=" + attempt.branch() + ", snapshot=" + first
                        + ")");
    }

    @Test
    void filesAndBalanceMustAgree() {
        PublishAttempt attempt = attempt(table, 1);
        List<StagedFile> files = List.of(file(table, attempt.runId(), "a", 3));

        assertRefused(
                () -> table.stage(attempt, PublishMode.APPEND, files, balance(4, 30)),
                ErrorCode.VALIDATION_FAILED,
                "Cannot stage run " + attempt.runId() + ": its files hold other rows than its"
                        + " balance (files=3, balance=4)");
    }

    @Test
    void fileElsewhereIsRefused() {
        PublishAttempt attempt = attempt(table, 1);
        String location = "file://" + warehouse + "/sales/orders";
        for (String path : List.of(
                "file://" + warehouse + "/other/f.parquet",
                warehouse + "/sales/orders/data/f.parquet",
                "file:" + warehouse + "/sales/orders/data/f.parquet")) {
            assertRefused(
                    () -> table.stage(
                            attempt,
                            PublishMode.APPEND,
                            List.of(StagedFile.of(path, 1, 1)),
                            balance(1, 1)),
                    ErrorCode.VALIDATION_FAILED,
                    "Cannot stage file " + path + ": it is not below the table's data directory"
                            + " (directory=" + location + "/data)");
        }
    }

    @Test
    void baseThatWasExpiredIsRefused() {
        PublishAttempt attempt = attempt(table, 1);
        load(table, 2, PublishMode.APPEND, balance(2, 20));
        lake.expireForeign();

        assertRefused(
                () -> stageOne(table, attempt, PublishMode.APPEND, balance(1, 1)),
                ErrorCode.TABLE_MOVED,
                "Cannot stage run " + attempt.runId() + " on table sales.orders: its base was"
                        + " expired (snapshot=" + attempt.baseSnapshotId() + ")");
    }

    @Test
    void schemaThatChangedSinceIsRefused() {
        PublishAttempt staged =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(1, 1));
        lake.foreignTable()
                .updateSchema()
                .addColumn("extra", Types.LongType.get())
                .commit();
        PublishAttempt later = attempt(table, 2);

        assertRefused(
                () -> stageOne(table, later, PublishMode.APPEND, balance(1, 1)),
                ErrorCode.TARGET_SCHEMA_MISMATCH,
                "Cannot load into table sales.orders: column extra of the table has no source"
                        + " column");
        Published published = table.publish(staged, PublishMode.APPEND);
        assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(published.reason()).isEqualTo("the table's schema changed (staged=0, schema=1)");
    }

    @Test
    void oldSnapshotsAreForgottenButNoFileIsDeleted() {
        lake.foreignTable().updateProperties().set("weir.snapshots.max", "3").commit();
        PublishAttempt other =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(9, 9));
        for (int epoch = 2; epoch <= 7; epoch++) {
            load(table, epoch, PublishMode.APPEND, balance(1, 1));
        }

        List<Long> main = SnapshotUtil.currentAncestorIds(lake.foreignTable());
        assertThat(main).hasSize(3);
        assertThat(table.balance()).isEqualTo(balance(6, 6));
        assertThat(table.filesOf(table.currentSnapshotId())).hasSize(6);
        assertThat(table.filesOf(stagedId(other))).hasSize(1);
        for (FileEntry file : table.filesOf(table.currentSnapshotId())) {
            assertThat(LocalFileIO.pathOf(file.path())).exists();
        }
    }

    @Test
    void discardRemovesTheBranchAndMayBeRepeated() {
        PublishAttempt attempt =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(1, 1));

        table.discard(attempt);
        table.discard(attempt);

        assertThat(lake.foreignTable().refs()).containsOnlyKeys("main");
        Published published = table.publish(attempt, PublishMode.APPEND);
        assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(published.reason())
                .isEqualTo("the branch does not hold the staged snapshot (branch="
                        + attempt.branch() + ", staged=" + stagedId(attempt) + ", found=none)");
    }

    @Test
    void unknownSnapshotCannotBeListed() {
        assertRefused(
                () -> table.filesOf(7),
                ErrorCode.TABLE_MOVED,
                "Cannot list the files of table sales.orders: the snapshot does not exist"
                        + " (snapshot=7)");
    }

    private static void assertRefused(
            ThrowableAssert.ThrowingCallable call, ErrorCode code, String message) {
        assertThatThrownBy(call)
                .hasMessage(message)
                .isInstanceOfSatisfying(
                        WeirException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
