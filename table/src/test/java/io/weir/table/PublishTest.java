package io.weir.table;

import static io.weir.table.LakeFixture.attempt;
import static io.weir.table.LakeFixture.balance;
import static io.weir.table.LakeFixture.load;
import static io.weir.table.LakeFixture.stageOne;
import static io.weir.table.LakeFixture.staged;
import static io.weir.table.LakeFixture.stagedId;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;

import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

class PublishTest {
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
    void publishesByMovingMainToTheStagedSnapshot() {
        PublishAttempt attempt =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(3, 30));

        Published published = table.publish(attempt, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.PUBLISHED);
        assertThat(published.snapshotId()).isEqualTo(attempt.stagedSnapshotId());
        assertThat(table.currentSnapshotId()).isEqualTo(attempt.stagedSnapshotId());
        assertThat(table.balance()).isEqualTo(balance(3, 30));
        Map<String, String> properties = lake.foreignTable().properties();
        assertThat(properties)
                .containsEntry(
                        "weir.publish.sales.orders",
                        attempt.runId() + ":1:" + SnapshotSummary.hash(attempt.token()))
                .containsEntry("weir.balance.rows", "3")
                .containsEntry("weir.balance.digest", "0000000000000000000000000000001e")
                .containsEntry("weir.balance.snapshot", "" + attempt.stagedSnapshotId());
        assertThat(lake.foreignTable().refs()).containsOnlyKeys("main");
        assertThat(lake.foreignTable().currentSnapshot().summary())
                .containsEntry("weir.run", attempt.runId().toString())
                .containsEntry("weir.epoch", "1")
                .containsEntry("weir.balance.rows", "3")
                .containsEntry("weir.delta.rows", "3")
                .containsEntry("weir.delta.digest", "0000000000000000000000000000001e");
    }

    @Test
    void answersPublishedWhenAskedAgain() {
        PublishAttempt attempt = load(table, 1, PublishMode.APPEND, balance(3, 30));
        load(table, 2, PublishMode.APPEND, balance(1, 1));

        Published again = table.publish(attempt, PublishMode.APPEND);

        assertThat(again.outcome()).isEqualTo(Published.Outcome.PUBLISHED);
        assertThat(again.snapshotId()).isEqualTo(attempt.stagedSnapshotId());
        assertThat(table.balance()).isEqualTo(balance(4, 31));
    }

    @Test
    void replaceTakesThePlaceOfAllRows() {
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        load(table, 2, PublishMode.APPEND, balance(2, 20));

        PublishAttempt attempt = load(table, 3, PublishMode.REPLACE, balance(1, 7));

        assertThat(table.balance()).isEqualTo(balance(1, 7));
        List<FileEntry> files = table.filesOf(stagedId(attempt));
        assertThat(files).extracting(FileEntry::rows).containsExactly(1L);
        assertThat(lake.foreignTable().currentSnapshot().operation()).isEqualTo("overwrite");
    }

    @Test
    void emptySourceIsPublishedInBothModes() {
        PublishAttempt append = attempt(table, 1);
        append = staged(append, table.stage(append, PublishMode.APPEND, List.of(), Balance.ZERO));
        assertThat(table.publish(append, PublishMode.APPEND).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);

        PublishAttempt empty = attempt(table, 2);
        empty = staged(empty, table.stage(empty, PublishMode.REPLACE, List.of(), Balance.ZERO));
        assertThat(table.publish(empty, PublishMode.REPLACE).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);

        load(table, 3, PublishMode.APPEND, balance(3, 30));
        PublishAttempt replace = attempt(table, 4);
        replace =
                staged(replace, table.stage(replace, PublishMode.REPLACE, List.of(), Balance.ZERO));
        assertThat(table.publish(replace, PublishMode.REPLACE).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);

        assertThat(table.filesOf(table.currentSnapshotId())).isEmpty();
        assertThat(table.balance()).isEqualTo(Balance.ZERO);
    }

    @Test
    void ofTwoPublishersOneWinsAndTheOtherIsStagedAnew() {
        PublishAttempt first =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(3, 30));
        PublishAttempt second =
                stageOne(table, attempt(table, 2), PublishMode.APPEND, balance(5, 50));
        assertThat(table.publish(first, PublishMode.APPEND).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);

        Published lost = table.publish(second, PublishMode.APPEND);

        assertThat(lost.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(lost.reason())
                .isEqualTo("main moved (base=" + second.baseSnapshotId() + ", main="
                        + first.stagedSnapshotId() + ", operation=append)");
        List<FileEntry> files = table.addedBy(stagedId(second));
        PublishAttempt renewed = attempt(second.runId(), table.currentSnapshotId(), 3);
        List<StagedFile> same = files.stream()
                .map(file -> StagedFile.of(file.path(), file.rows(), file.bytes()))
                .toList();
        renewed = staged(renewed, table.stage(renewed, PublishMode.APPEND, same, balance(5, 50)));
        table.discard(second);
        assertThat(table.publish(renewed, PublishMode.APPEND).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);
        assertThat(table.balance()).isEqualTo(balance(8, 80));
        assertThat(lake.foreignTable().refs()).containsOnlyKeys("main");
    }

    @Test
    void olderEpochIsRefusedAfterALaterPublishEvenIfMainWentBack() {
        PublishAttempt zombie =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(3, 30));
        load(table, 2, PublishMode.APPEND, balance(5, 50));
        lake.foreignTable()
                .manageSnapshots()
                .rollbackTo(zombie.baseSnapshotId())
                .commit();

        Published published = table.publish(zombie, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(published.reason())
                .isEqualTo("a later attempt is published (epoch=1, published=2)");
    }

    @Test
    void handleOpenedLongAgoIsAsGoodAsAFreshOne() {
        LakeTable stale = lake.catalog().load(LakeFixture.TARGET);
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        lake.expireForeign();
        load(table, 2, PublishMode.APPEND, balance(4, 40));

        load(stale, 3, PublishMode.APPEND, balance(5, 50));

        assertThat(stale.balance()).isEqualTo(balance(12, 120));
        assertThat(table.balance()).isEqualTo(balance(12, 120));
    }

    @Test
    void handleOfADroppedAndRecreatedTableIsRefused() {
        lake.foreignCatalog().dropTable(TableIdentifier.parse(LakeFixture.TARGET), false);
        assertThatThrownBy(table::balance)
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TARGET_TABLE_NOT_FOUND));
        lake.prepare();

        assertThatThrownBy(table::balance)
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MOVED))
                .hasMessageContaining("it was dropped and created again");
    }

    @Test
    void publishingWithoutStagingIsABug() {
        PublishAttempt attempt = attempt(table, 1);

        assertThatThrownBy(() -> table.publish(attempt, PublishMode.APPEND))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
                .hasMessage(
                        "Cannot publish run " + attempt.runId() + ": nothing is staged (epoch=1)");
    }

    @Test
    void unreachableCatalogIsAnErrorBeforeAnythingIsSent() throws IOException {
        PublishAttempt attempt =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(3, 30));
        CatalogProxy proxy = new CatalogProxy("127.0.0.1", lake.database().port());
        try (LakeCatalog catalog = LakeCatalog.open(lake.config(proxy.port(), warehouse))) {
            LakeTable cut = catalog.load(LakeFixture.TARGET);
            proxy.close();
            proxy.cut();

            assertThatThrownBy(() -> cut.publish(attempt, PublishMode.APPEND))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNREACHABLE))
                    .hasMessageStartingWith("Cannot publish to table sales.orders: ");
        }
        assertThat(table.read(attempt).verdict()).isEqualTo(Evidence.Verdict.NOT_PUBLISHED);
    }
}
