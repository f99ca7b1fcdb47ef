package io.weir.table;

import static io.weir.table.LakeFixture.attempt;
import static io.weir.table.LakeFixture.balance;
import static io.weir.table.LakeFixture.load;
import static io.weir.table.LakeFixture.stageOne;
import static io.weir.table.LakeFixture.stagedId;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;

import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Commits whose reply is lost, changes that arrive during a commit, and what is found later. */
class UnknownCommitTest {
    @TempDir
    Path warehouse;

    private LakeFixture lake;
    private LakeTable table;
    private CatalogProxy proxy;
    private LakeCatalog proxied;
    private LakeTable remote;

    @BeforeEach
    void open() throws IOException {
        lake = new LakeFixture(warehouse);
        table = lake.prepare();
        proxy = new CatalogProxy("127.0.0.1", lake.database().port());
        proxied = LakeCatalog.open(lake.config(proxy.port(), warehouse));
        remote = proxied.load(LakeFixture.TARGET);
    }

    @AfterEach
    void close() throws IOException {
        proxied.close();
        proxy.close();
        lake.close();
    }

    @Test
    void lostReplyToAPublishIsUnknownAndSentOnce() {
        PublishAttempt attempt =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(3, 30));
        proxy.loseNextReply();

        Published published = remote.publish(attempt, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.UNKNOWN);
        assertThat(published.cause()).isNotNull();
        assertThat(published.reason())
                .isEqualTo("no reply to the commit: An I/O error occurred while sending to the"
                        + " backend. (sqlstate=08006)");
        assertThat(proxy.commits()).isEqualTo(1);
        Evidence evidence = table.read(attempt);
        assertThat(evidence.verdict()).isEqualTo(Evidence.Verdict.PUBLISHED);
        assertThat(evidence.snapshotId()).isEqualTo(attempt.stagedSnapshotId());
        assertThat(table.balance()).isEqualTo(balance(3, 30));
        assertThat(table.filesOf(stagedId(attempt))).hasSize(1);
    }

    @Test
    void lostReplyIsStillPublishedAfterItsSnapshotWasExpired() {
        PublishAttempt attempt =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(3, 30));
        proxy.loseNextReply();
        remote.publish(attempt, PublishMode.APPEND);
        lake.compactForeign(3);
        lake.expireForeign();
        assertThat(lake.foreignTable().snapshot(stagedId(attempt))).isNull();

        Evidence evidence = remote.read(attempt);

        assertThat(evidence.published()).isTrue();
        assertThat(evidence.text())
                .isEqualTo("property weir.publish.sales.orders is " + attempt.runId() + ":1:"
                        + SnapshotSummary.hash(attempt.token()));
        assertThat(remote.publish(attempt, PublishMode.APPEND).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);
        assertThat(table.balance()).isEqualTo(balance(3, 30));
    }

    @Test
    void ancestorOfMainIsEvidenceWithoutTheProperty() {
        PublishAttempt attempt = load(table, 1, PublishMode.APPEND, balance(3, 30));
        load(table, 2, PublishMode.APPEND, balance(1, 1));

        Evidence evidence = table.read(attempt);

        assertThat(evidence.published()).isTrue();
        assertThat(evidence.text())
                .isEqualTo("snapshot " + attempt.stagedSnapshotId() + " is an ancestor of main "
                        + table.currentSnapshotId());
    }

    @Test
    void stagedSnapshotAloneIsNoEvidence() {
        PublishAttempt attempt =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(3, 30));
        assertThat(lake.foreignTable().snapshot(stagedId(attempt))).isNotNull();

        Evidence evidence = table.read(attempt);

        assertThat(evidence.verdict()).isEqualTo(Evidence.Verdict.NOT_PUBLISHED);
        assertThat(evidence.text())
                .isEqualTo("main " + table.currentSnapshotId() + " does not descend from snapshot "
                        + attempt.stagedSnapshotId()
                        + ", property weir.publish.sales.orders is null");
    }

    @Test
    void nothingIsConcludedWhereHistoryAndPropertyAreGone() {
        PublishAttempt attempt = load(table, 1, PublishMode.APPEND, balance(3, 30));
        load(table, 2, PublishMode.APPEND, balance(1, 1));
        load(table, 3, PublishMode.APPEND, balance(1, 1));
        lake.expireForeign();

        assertThat(table.read(attempt).verdict()).isEqualTo(Evidence.Verdict.UNDETERMINED);
    }

    @Test
    void attemptThatNeverArrivedIsRuledOutAfterExpiryByTheOlderEpoch() {
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        PublishAttempt attempt =
                stageOne(table, attempt(table, 2), PublishMode.APPEND, balance(1, 1));
        table.fence(attempt);
        lake.compactForeign(3);
        lake.compactForeign(3);
        lake.expireForeign();

        assertThat(table.read(attempt).verdict()).isEqualTo(Evidence.Verdict.NOT_PUBLISHED);
    }

    @Test
    void propertyChangedDuringTheCommitRefusesIt() {
        PublishAttempt attempt =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(3, 30));
        proxy.beforeNextCommit(
                () -> lake.foreignTable().updateProperties().set("owner", "ops").commit());

        Published published = remote.publish(attempt, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(proxy.commits()).isEqualTo(1);
        assertThat(table.read(attempt).published()).isFalse();
        assertThat(table.balance()).isEqualTo(balance(0, 0));
    }

    @Test
    void foreignAppendDuringTheCommitIsNotPublishedOver() {
        PublishAttempt attempt =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(3, 30));
        // Retries that others switch on must not bring the stale balance in by the back door.
        lake.foreignTable()
                .updateProperties()
                .set("commit.retry.num-retries", "4")
                .commit();
        proxy.beforeNextCommit(() -> lake.appendForeign(7));

        Published published = remote.publish(attempt, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(lake.foreignTable().currentSnapshot().summary())
                .containsEntry("total-records", "7");
        BalanceTest.assertForeign(table::balance, "operation=append");
    }

    @Test
    void expiryAndPropertyChangeBeforePublishAreNoObstacle() {
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        PublishAttempt attempt =
                stageOne(table, attempt(table, 2), PublishMode.APPEND, balance(1, 1));
        lake.foreignTable().updateProperties().set("owner", "ops").commit();
        lake.expireForeign();

        Published published = table.publish(attempt, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.PUBLISHED);
        assertThat(table.balance()).isEqualTo(balance(4, 31));
        assertThat(lake.foreignTable().properties()).containsEntry("owner", "ops");
    }

    @Test
    void lostReplyToStagingIsFoundByTheSameCallAgain() {
        PublishAttempt attempt = attempt(table, 1);
        List<StagedFile> files = List.of(LakeFixture.file(table, attempt.runId(), "a", 3));
        proxy.loseNextReply();

        long first = stageDespiteLostReply(attempt, files);

        long again = remote.stage(attempt, PublishMode.APPEND, files, balance(3, 30));
        assertThat(again).isEqualTo(first);
        assertThat(table.filesOf(again))
                .extracting(FileEntry::path)
                .containsExactly(files.get(0).path());
        PublishAttempt staged = LakeFixture.staged(attempt, again);
        assertThat(remote.publish(staged, PublishMode.APPEND).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);
    }

    private long stageDespiteLostReply(PublishAttempt attempt, List<StagedFile> files) {
        try {
            return remote.stage(attempt, PublishMode.APPEND, files, balance(3, 30));
        } catch (WeirException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNREACHABLE);
            Table now = lake.foreignTable();
            return now.snapshot(attempt.branch()).snapshotId();
        }
    }
}
