package io.weir.table;

import static io.weir.table.LakeFixture.attempt;
import static io.weir.table.LakeFixture.balance;
import static io.weir.table.LakeFixture.load;
import static io.weir.table.LakeFixture.stageOne;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/** A fence before, between and after; what a zombie can and cannot do. */
class FenceTest {
    @TempDir
    Path warehouse;

    private LakeFixture lake;
    private LakeTable table;
    private PublishAttempt attempt;

    @BeforeEach
    void stage() {
        lake = new LakeFixture(warehouse);
        table = lake.prepare();
        load(table, 1, PublishMode.APPEND, balance(2, 20));
        attempt = stageOne(table, attempt(table, 2), PublishMode.APPEND, balance(3, 30));
    }

    @AfterEach
    void close() {
        lake.close();
    }

    @Test
    void isAnEmptySnapshotThatCarriesTheBalance() {
        table.fence(attempt);

        Snapshot fence = lake.foreignTable().currentSnapshot();
        assertThat(fence.parentId()).isEqualTo(attempt.baseSnapshotId());
        assertThat(fence.summary())
                .containsEntry("weir.fence.epoch", "2")
                .containsEntry("weir.run", attempt.runId().toString())
                .containsEntry("weir.balance.rows", "2")
                .containsEntry("weir.balance.digest", "00000000000000000000000000000014")
                .containsEntry("weir.delta.rows", "0")
                .containsEntry("total-records", "2");
        assertThat(lake.foreignTable().properties())
                .containsEntry("weir.fence.sales.orders", "2")
                .containsEntry("weir.balance.snapshot", Long.toString(fence.snapshotId()));
        assertThat(table.balance()).isEqualTo(balance(2, 20));
    }

    @Test
    void beforePublishRefusesIt() {
        table.fence(attempt);

        Published published = table.publish(attempt, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(published.reason()).isEqualTo("the attempt is fenced (epoch=2, fence=2)");
        assertNothingPublished();
    }

    @Test
    void betweenReadAndCommitRefusesIt() throws IOException {
        try (CatalogProxy proxy = new CatalogProxy("127.0.0.1", lake.database().port());
                LakeCatalog catalog = LakeCatalog.open(lake.config(proxy.port(), warehouse))) {
            LakeTable zombie = catalog.load(LakeFixture.TARGET);
            proxy.beforeNextCommit(() -> table.fence(attempt));

            Published published = zombie.publish(attempt, PublishMode.APPEND);

            assertThat(proxy.commits()).isEqualTo(1);
            assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
            assertThat(published.reason()).startsWith("the table changed during the commit: ");
        }
        assertNothingPublished();
    }

    @Test
    void afterPublishChangesNothing() {
        table.publish(attempt, PublishMode.APPEND);
        long main = table.currentSnapshotId();

        table.fence(attempt);

        assertThat(table.currentSnapshotId()).isEqualTo(main);
        assertThat(table.read(attempt).published()).isTrue();
        assertThat(table.balance()).isEqualTo(balance(5, 50));
    }

    @Test
    void isSetOnceHoweverOftenItIsAskedFor() {
        table.fence(attempt);
        long main = table.currentSnapshotId();

        table.fence(attempt);

        assertThat(table.currentSnapshotId()).isEqualTo(main);
    }

    @Test
    void holdsAfterItsSnapshotWasExpired() {
        table.fence(attempt);
        long fence = table.currentSnapshotId();
        load(table, 3, PublishMode.APPEND, balance(1, 1));
        lake.expireForeign();
        assertThat(lake.foreignTable().snapshot(fence)).isNull();

        Published published = table.publish(attempt, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(table.balance()).isEqualTo(balance(3, 21));
    }

    @Test
    void holdsAfterMainWasRolledBackToTheBase() {
        table.fence(attempt);
        lake.foreignTable()
                .manageSnapshots()
                .rollbackTo(attempt.baseSnapshotId())
                .commit();

        Published published = table.publish(attempt, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(table.balance()).isEqualTo(balance(2, 20));
    }

    @Test
    void letsTheNextEpochPublish() {
        table.fence(attempt);
        table.discard(attempt);

        PublishAttempt next = attempt(attempt.runId(), table.currentSnapshotId(), 3);
        PublishAttempt staged = stageOne(table, next, PublishMode.APPEND, balance(3, 30));

        assertThat(table.publish(staged, PublishMode.APPEND).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);
        assertThat(table.balance()).isEqualTo(balance(5, 50));
    }

    @Test
    void losesNoForeignWriteFromSight() {
        lake.appendForeign(7);

        table.fence(attempt);

        Snapshot fence = lake.foreignTable().currentSnapshot();
        assertThat(fence.summary())
                .containsEntry("weir.fence.epoch", "2")
                .doesNotContainKey("weir.balance.rows");
        BalanceTest.assertForeign(table::balance, "operation=append");
    }

    @Test
    void isDecidedAnewIfTheTableMovesUnderItsCommit() throws IOException {
        // Iceberg's own retry would put the balance from before on top of the foreign rows.
        lake.foreignTable()
                .updateProperties()
                .set("commit.retry.num-retries", "4")
                .commit();
        try (CatalogProxy proxy = new CatalogProxy("127.0.0.1", lake.database().port());
                LakeCatalog catalog = LakeCatalog.open(lake.config(proxy.port(), warehouse))) {
            proxy.beforeNextCommit(() -> lake.appendForeign(7));

            catalog.load(LakeFixture.TARGET).fence(attempt);
        }
        assertThat(lake.foreignTable().currentSnapshot().summary())
                .containsEntry("weir.fence.epoch", "2")
                .containsEntry("total-records", "9")
                .doesNotContainKey("weir.balance.rows");
        BalanceTest.assertForeign(table::balance, "operation=append");
    }

    private void assertNothingPublished() {
        assertThat(table.read(attempt).verdict()).isEqualTo(Evidence.Verdict.NOT_PUBLISHED);
        assertThat(table.balance()).isEqualTo(balance(2, 20));
        Table now = lake.foreignTable();
        assertThat(now.currentSnapshot().summary()).containsEntry("total-records", "2");
        assertThat(now.properties().get("weir.publish.sales.orders")).contains(":1:");
    }
}
