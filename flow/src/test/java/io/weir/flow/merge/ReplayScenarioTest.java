package io.weir.flow.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.engine.MergeStrategy;
import io.weir.table.LogPosition;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;

/** Windows that come again, overlap, or do not follow. */
class ReplayScenarioTest {
    @TempDir
    Path directory;

    private MergeHouse house;
    private LogPosition eleven;
    private LogPosition half;
    private LogPosition twelve;

    @BeforeEach
    void open() {
        house = new MergeHouse(directory);
        eleven = house.commit("insert 1 anna 10", "insert 2 bert 20", "insert 5 e 5");
        house.commit("update 1 anna 10 > 1 anna 11", "delete 5 e 5");
        half = house.commit("insert 3 carl 30", "update 2 bert 20 > 2 bert 21");
        house.commit("update 1 anna 11 > 1 anna 12", "insert 5 e 6");
        twelve = house.commit("delete 3 carl 30", "update 2 bert 21 > 2 bert 22");
    }

    @AfterEach
    void close() {
        house.close();
    }

    @Test
    void sameWindowAgainChangesNothing() {
        house.window(LogPosition.NONE, twelve);
        int snapshots = house.snapshots();
        MergePlan again = (MergePlan) house.window(LogPosition.NONE, twelve);
        assertThat(again.replays()).isEqualTo(11);
        assertThat(again.events()).isZero();
        assertThat(again.delta().isEmpty()).isTrue();
        assertThat(house.snapshots()).isEqualTo(snapshots);
        assertThat(house.rows()).containsExactly("1 anna 12", "2 bert 22", "5 e 6");
    }

    @Test
    void oldWindowDoesNotMoveThePositionBack() {
        house.window(LogPosition.NONE, twelve);
        house.window(LogPosition.NONE, eleven);
        assertThat(house.table.state().merged()).isEqualTo(twelve);
        assertThat(house.rows()).containsExactly("1 anna 12", "2 bert 22", "5 e 6");
    }

    @Test
    void tableRebuiltAtHalfPastElevenTakesTheWholeHourWithoutAlarm() {
        house.window(LogPosition.NONE, half);
        MergePlan plan = (MergePlan) house.window(eleven, twelve);
        assertThat(plan.replays()).isEqualTo(4);
        assertThat(plan.events()).isEqualTo(4);
        assertThat(house.rows()).containsExactly("1 anna 12", "2 bert 22", "5 e 6");
        assertThat(house.balances()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void tableOfWhichOnlyTheTimeIsKnownMayBeAnyStateOfTheChain(MergeStrategy strategy) {
        house.by(strategy).window(LogPosition.NONE, half);
        house.table.begin(eleven, false);
        assertThat(house.table.state().exact()).isFalse();
        house.window(eleven, twelve);
        assertThat(house.rows()).containsExactly("1 anna 12", "2 bert 22", "5 e 6");
        assertThat(house.table.state().exact()).isTrue();
        assertThat(house.balances()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void tableOfTheEndOfTheWindowIsAStateOfTheChainToo(MergeStrategy strategy) {
        house.by(strategy).window(LogPosition.NONE, twelve);
        int snapshots = house.snapshots();
        house.table.begin(eleven, false);
        MergePlan plan = (MergePlan) house.window(eleven, twelve);
        assertThat(plan.delta().isEmpty()).isTrue();
        assertThat(house.snapshots()).isEqualTo(snapshots);
        assertThat(house.rows()).containsExactly("1 anna 12", "2 bert 22", "5 e 6");
    }

    @Test
    void rowThatIsNoStateOfTheChainStops() {
        house.window(LogPosition.NONE, eleven);
        house.table.begin(half, false);
        MergeStop stop = (MergeStop) house.window(half, twelve);
        assertThat(stop.code()).isEqualTo(ErrorCode.MERGE_CHAIN_BROKEN);
        assertThat(stop.key()).isEqualTo("id=1");
    }

    @Test
    void windowBehindThePositionIsRefused() {
        house.window(LogPosition.NONE, eleven);
        assertThatThrownBy(() -> house.window(half, twelve))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.MERGE_WINDOW_GAP);
                    assertThat(e.text()).contains("window=0/30, table=0/10");
                });
    }

    @Test
    void emptyWindowMovesThePositionOnly() {
        house.window(LogPosition.NONE, twelve);
        int snapshots = house.snapshots();
        house.commit();
        MergePlan plan = house.published();
        assertThat(plan.delta().isEmpty()).isTrue();
        assertThat(house.table.state().merged()).isEqualTo(new LogPosition(60, "0/60"));
        assertThat(house.snapshots()).isEqualTo(snapshots);
    }
}
