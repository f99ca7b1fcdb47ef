package io.weir.flow.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.row.Balance;
import io.weir.engine.MergeStrategy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;

/** TRUNCATE takes every row at its place, not before and not after. */
class TruncateScenarioTest {
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

    @ParameterizedTest
    @EnumSource
    void truncateAndReloadHasNoKeyTwice(MergeStrategy strategy) {
        house.by(strategy).commit("delete 3 carl 30");
        house.published();
        house.commit("truncate", "insert 1 anna 10", "insert 2 bert 21");
        MergePlan plan = house.published();
        assertThat(plan.truncates()).isEqualTo(1);
        assertThat(plan.deleted()).isEqualTo(2);
        assertThat(plan.inserted()).isEqualTo(2);
        assertThat(plan.closing()).isEqualTo(plan.after());
        assertThat(house.rows()).containsExactly("1 anna 10", "2 bert 21");
        assertThat(house.balances()).isTrue();
    }

    @Test
    void b82_truncateBetweenInsertsKeepsTheLaterOnes() {
        house.commit("insert 4 d 1", "insert 5 e 1", "truncate", "insert 6 f 1", "insert 7 g 1");
        house.published();
        assertThat(house.rows()).containsExactly("6 f 1", "7 g 1");
    }

    @Test
    void b83_truncateAloneEmptiesTheTable() {
        house.commit("insert 8 h 1", "insert 9 i 1");
        house.commit("truncate");
        MergePlan plan = house.published();
        assertThat(plan.deleted()).isEqualTo(3);
        assertThat(plan.closing()).isEqualTo(Balance.ZERO);
        assertThat(house.rows()).isEmpty();
        assertThat(house.table.state().balance()).isEqualTo(Balance.ZERO);
    }

    @Test
    void b81_tablesThatAreTruncatedAgainAndAgainHoldTheLastRows() {
        for (int round = 0; round < 3; round++) {
            house.commit("truncate", "insert 1 r" + round + " 1");
        }
        assertThat(house.published().truncates()).isEqualTo(3);
        assertThat(house.rows()).containsExactly("1 r2 1");
        house.commit("truncate", "insert 1 r3 1");
        house.published();
        assertThat(house.rows()).containsExactly("1 r3 1");
    }

    @Test
    void b112_deleteAfterTruncateAndInsertTakesTheNewRow() {
        house.commit("truncate", "insert 1 new 1", "insert 2 new 2");
        house.commit("delete 1 new 1");
        house.published();
        assertThat(house.rows()).containsExactly("2 new 2");
    }

    @Test
    void rowBeforeATruncateIsNotThereAfterIt() {
        house.commit("truncate");
        house.commit("update 1 anna 10 > 1 anna 11");
        MergeStop stop = house.stopped();
        assertThat(stop.code()).isEqualTo(ErrorCode.MERGE_CHAIN_BROKEN);
        assertThat(stop.found()).contains("no row");
    }

    @Test
    void changesBeforeATruncateMustFollowToo() {
        house.commit("update 1 anna 77 > 1 anna 78", "truncate");
        assertThat(house.stopped().key()).isEqualTo("id=1");
        assertThat(house.rows()).hasSize(3);
    }
}
