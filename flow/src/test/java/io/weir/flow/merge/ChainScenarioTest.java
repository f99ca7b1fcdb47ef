package io.weir.flow.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** What may happen to one key in one window, and what is found when a change of it is missing. */
class ChainScenarioTest {
    @TempDir
    Path directory;

    private MergeHouse house;

    @BeforeEach
    void open() {
        house = new MergeHouse(directory);
        house.commit("insert 1 anna 10", "insert 2 bert 20", "insert 3 carl 30");
        house.published();
    }

    @AfterEach
    void close() {
        house.close();
    }

    @Test
    void manyChangesOfAKeyAreOneChangeOfTheRow() {
        house.commit("update 1 anna 10 > 1 anna 11", "update 1 anna 11 > 1 anna 12");
        house.commit("update 1 anna 12 > 1 anna 13");
        house.commit("delete 1 anna 13", "insert 1 annemarie 1");
        MergePlan plan = house.published();
        assertThat(plan.events()).isEqualTo(5);
        assertThat(plan.updated()).isEqualTo(1);
        assertThat(plan.delta().appendedBalance().rows()).isEqualTo(1);
        assertThat(house.rows()).containsExactly("1 annemarie 1", "2 bert 20", "3 carl 30");
        assertThat(house.balances()).isTrue();
    }

    @Test
    void thereAndBackAgainLeavesNoSnapshot() {
        int snapshots = house.snapshots();
        house.commit("update 1 anna 10 > 1 anna 99");
        house.commit("update 1 anna 99 > 1 anna 10");
        MergePlan plan = house.published();
        assertThat(plan.delta().isEmpty()).isTrue();
        assertThat(house.snapshots()).isEqualTo(snapshots);
        assertThat(house.table.state().merged()).isEqualTo(house.position());
    }

    @Test
    void thereAndBackAgainFromAnotherRowStops() {
        // The update to 50 got lost.
        house.commit("update 1 anna 50 > 1 anna 99", "update 1 anna 99 > 1 anna 50");
        MergeStop stop = house.stopped();
        assertThat(stop.code()).isEqualTo(ErrorCode.MERGE_CHAIN_BROKEN);
        assertThat(stop.key()).isEqualTo("id=1");
    }

    @Test
    void insertAndDeleteInAWindowLeavesNothing() {
        int snapshots = house.snapshots();
        house.commit("insert 9 x 1");
        house.commit("delete 9 x 1");
        house.published();
        assertThat(house.rows()).hasSize(3);
        assertThat(house.snapshots()).isEqualTo(snapshots);
    }

    @Test
    void b67_updateThatChangesNothingDoesNotHideTheDelete() {
        house.commit("update 2 bert 20 > 2 bert 20", "delete 2 bert 20");
        house.published();
        assertThat(house.rows()).containsExactly("1 anna 10", "3 carl 30");
        house.commit("update 3 carl 30 > 3 carl 30");
        assertThat(house.published().delta().isEmpty()).isTrue();
    }

    @Test
    void b69_changedKeyMovesTheRow() {
        house.commit("delete 1 anna 10", "insert 4 anna 10");
        house.published();
        assertThat(house.rows()).containsExactly("2 bert 20", "3 carl 30", "4 anna 10");
    }

    @Test
    void b70_changedKeyAsTheLastOfATransaction() {
        house.commit("insert 5 e 5", "delete 1 anna 10", "insert 9 anna 10");
        house.published();
        assertThat(house.rows()).containsExactly("2 bert 20", "3 carl 30", "5 e 5", "9 anna 10");
    }

    @Test
    void swappedKeysInATransactionAreNoBreak() {
        house.commit(
                "delete 1 anna 10", "insert 2 anna 10", "delete 2 bert 20", "insert 1 bert 20");
        MergePlan plan = house.published();
        assertThat(plan.updated()).isEqualTo(2);
        assertThat(house.rows()).containsExactly("1 bert 20", "2 anna 10", "3 carl 30");
        assertThat(house.balances()).isTrue();
    }

    @Test
    void ringOfKeysInATransactionIsNoBreak() {
        house.commit(
                "delete 1 anna 10",
                "insert 2 anna 10",
                "delete 2 bert 20",
                "insert 3 bert 20",
                "delete 3 carl 30",
                "insert 1 carl 30");
        house.published();
        assertThat(house.rows()).containsExactly("1 carl 30", "2 anna 10", "3 bert 20");
    }

    @Test
    void twoRowsOfAKeyAtTheEndOfATransactionStop() {
        house.commit("insert 7 a 1", "insert 7 b 2");
        MergeStop stop = house.stopped();
        assertThat(stop.code()).isEqualTo(ErrorCode.MERGE_KEY_NOT_UNIQUE);
        assertThat(stop.key()).isEqualTo("id=7");
        assertThat(stop.found()).isEqualTo("two rows");
    }

    @Test
    void b74_insertDeleteInsertInATransactionKeepsTheLast() {
        house.commit("insert 8 hello 1", "delete 8 hello 1", "insert 8 hallo 1");
        house.published();
        assertThat(house.rows()).contains("8 hallo 1").hasSize(4);
    }

    @Test
    void b76_changesAtOnePlaceAreOrderedByTheirNumber() {
        house.commit(
                "delete 1 anna 10",
                "insert 1 anna 1",
                "update 1 anna 1 > 1 anna 2",
                "update 1 anna 2 > 1 anna 3");
        house.published();
        assertThat(house.rows()).contains("1 anna 3").hasSize(3);
    }

    @Test
    void b78_keyThatIsNarrowerThanTheRealOneStops() {
        house.commit("insert 1 other 10");
        MergeStop stop = house.stopped();
        assertThat(stop.code()).isEqualTo(ErrorCode.MERGE_KEY_NOT_UNIQUE);
        assertThat(stop.key()).isEqualTo("id=1");
        assertThat(stop.command()).isEqualTo("weir rebuild sales.t");
        assertThat(house.rows()).containsExactly("1 anna 10", "2 bert 20", "3 carl 30");
    }

    @Test
    void b80_insertAndUpdateInFollowingWindowsAreOneRow() {
        house.commit("insert 6 f 1");
        house.published();
        house.commit("update 6 f 1 > 6 f 2");
        house.published();
        assertThat(house.rows()).contains("6 f 2").hasSize(4);
    }

    @Test
    void lostInsertStopsAtTheUpdate() {
        house.commit("update 44 x 1 > 44 x 2");
        MergeStop stop = house.stopped();
        assertThat(stop.key()).isEqualTo("id=44");
        assertThat(stop.found()).isEqualTo("no row");
    }

    @Test
    void lostDeleteStopsAtTheInsert() {
        house.commit("insert 2 bert 99");
        assertThat(house.stopped().code()).isEqualTo(ErrorCode.MERGE_KEY_NOT_UNIQUE);
    }

    @Test
    void lostChangeInsideOfAWindowStops() {
        house.commit("update 1 anna 10 > 1 anna 11");
        house.commit("update 1 anna 12 > 1 anna 13");
        MergeStop stop = house.stopped();
        assertThat(stop.kind()).contains("what the change before it left");
        assertThat(stop.place()).isEqualTo(30);
        assertThat(stop.toException().text())
                .startsWith("Cannot merge changes into table sales.t: ")
                .contains("(id=1, expected={qty=12}, found={qty=11}, place=30, ordinal=1)");
    }

    @Test
    void firstBreakOfTheLogIsNamed() {
        house.commit("update 3 carl 31 > 3 carl 32");
        house.commit("update 1 anna 11 > 1 anna 12");
        assertThat(house.stopped().key()).isEqualTo("id=3");
    }

    @Test
    void partialImagesStop() {
        house.commit("update 1 anna 11");
        MergeStop stop = house.stopped();
        assertThat(stop.code()).isEqualTo(ErrorCode.MERGE_IMAGE_PARTIAL);
        assertThat(stop.expected()).isEqualTo("the whole row before");
        assertThat(stop.key()).isEqualTo("id=1");
    }

    @Test
    void b59_valueThatWasNotSentComesFromTheRowBefore() {
        house.commit("update 1 anna 10 > 1 ? 11", "update 1 anna 11 > 1 ? 12");
        house.published();
        assertThat(house.rows()).contains("1 anna 12").hasSize(3);
        assertThat(house.balances()).isTrue();
    }
}
