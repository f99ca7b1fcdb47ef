package io.weir.table;

import static io.weir.table.LakeFixture.attempt;
import static io.weir.table.LakeFixture.balance;
import static io.weir.table.LakeFixture.load;
import static io.weir.table.LakeFixture.stageOne;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;

import org.apache.iceberg.expressions.Expressions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The balance of main, with and without other writers. */
class BalanceTest {
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

    static void assertForeign(ThrowingCallable call, String fact) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_FOREIGN_WRITE))
                .hasMessageContaining(fact);
    }

    @Test
    void isZeroInANewTable() {
        assertThat(table.balance()).isEqualTo(Balance.ZERO);
        assertThat(table.filesOf(table.currentSnapshotId())).isEmpty();
    }

    @Test
    void foreignAppendIsNamed() {
        lake.appendForeign(7);

        assertThatThrownBy(table::balance)
                .hasMessage("Cannot tell the balance of table sales.orders: another writer made a"
                        + " snapshot (snapshot=" + table.currentSnapshotId()
                        + ", operation=append, records=7)");
        assertForeign(table::balance, "operation=append");
    }

    @Test
    void foreignAppendRefusesAppendButNotReplace() {
        lake.appendForeign(7);
        PublishAttempt append = attempt(table, 1);
        assertForeign(
                () -> stageOne(table, append, PublishMode.APPEND, balance(1, 1)),
                "operation=append");

        load(table, 2, PublishMode.REPLACE, balance(2, 20));

        assertThat(table.balance()).isEqualTo(balance(2, 20));
        assertThat(table.filesOf(table.currentSnapshotId()))
                .extracting(FileEntry::rows)
                .containsExactly(2L);
    }

    @Test
    void foreignAppendAfterStagingMovesTheTable() {
        PublishAttempt attempt =
                stageOne(table, attempt(table, 1), PublishMode.APPEND, balance(3, 30));
        lake.appendForeign(7);

        Published published = table.publish(attempt, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(published.reason()).contains("operation=append");
        assertThat(table.read(attempt).published()).isFalse();
    }

    @Test
    void foreignAppendCannotBePublishedOnInModeAppendEvenIfStagedAsReplace() {
        lake.appendForeign(7);
        PublishAttempt attempt =
                stageOne(table, attempt(table, 1), PublishMode.REPLACE, balance(3, 30));

        assertForeign(() -> table.publish(attempt, PublishMode.APPEND), "operation=append");
        assertThat(table.read(attempt).published()).isFalse();
    }

    @Test
    void compactionKeepsTheBalance() {
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        load(table, 2, PublishMode.APPEND, balance(4, 40));

        lake.compactForeign(7);

        assertThat(lake.foreignTable().currentSnapshot().operation()).isEqualTo("replace");
        assertThat(table.balance()).isEqualTo(balance(7, 70));
        load(table, 3, PublishMode.APPEND, balance(1, 5));
        assertThat(table.balance()).isEqualTo(balance(8, 75));
    }

    @Test
    void compactionKeepsTheBalanceWhenItsParentWasExpired() {
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        lake.compactForeign(3);
        lake.expireForeign();
        assertThat(lake.foreignTable().snapshots()).hasSize(1);

        assertThat(table.balance()).isEqualTo(balance(3, 30));
    }

    @Test
    void compactionBetweenStagingAndPublishMovesTheTable() {
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        PublishAttempt attempt =
                stageOne(table, attempt(table, 2), PublishMode.APPEND, balance(1, 1));
        lake.compactForeign(3);

        Published published = table.publish(attempt, PublishMode.APPEND);

        assertThat(published.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(published.reason()).contains("operation=replace");
    }

    @Test
    void compactionThatLosesRowsIsAForeignWrite() {
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        lake.compactForeign(2);

        assertForeign(table::balance, "operation=replace, records=2");
    }

    @Test
    void foreignWriteIsNamedBelowACompaction() {
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        lake.appendForeign(4);
        long foreign = table.currentSnapshotId();
        lake.compactForeign(7);

        assertForeign(table::balance, "snapshot=" + foreign + ", operation=append");
    }

    @Test
    void historyExpiredBelowAForeignSnapshotIsNotTrusted() {
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        lake.appendForeign(4);
        lake.compactForeign(7);
        lake.expireForeign();

        assertForeign(table::balance, "operation=replace, records=7");
    }

    @Test
    void foreignDeleteOfRowsIsNamed() {
        load(table, 1, PublishMode.APPEND, balance(3, 30));
        lake.foreignTable()
                .newDelete()
                .deleteFromRowFilter(Expressions.alwaysTrue())
                .commit();

        assertForeign(table::balance, "operation=delete, records=0");
    }
}
