package io.weir.flow.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.route.PartitionBy;
import io.weir.table.LogPosition;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Tables without a key: equal rows may repeat, and each change takes or adds one of them. */
class MultisetScenarioTest {
    @TempDir
    Path directory;

    private MergeHouse house;

    @BeforeEach
    void open() {
        house = new MergeHouse(directory, List.of(), PartitionBy.NOTHING);
        house.commit("insert 1 a 1", "insert 1 a 1", "insert 1 a 1", "insert 2 b 2");
        house.published();
    }

    @AfterEach
    void close() {
        house.close();
    }

    @Test
    void equalRowsRepeat() {
        assertThat(house.rows()).containsExactly("1 a 1", "1 a 1", "1 a 1", "2 b 2");
        house.commit("delete 1 a 1", "update 2 b 2 > 1 a 1", "delete 1 a 1");
        house.published();
        assertThat(house.rows()).containsExactly("1 a 1", "1 a 1");
        assertThat(house.balances()).isTrue();
        house.commit("delete 1 a 1", "delete 1 a 1");
        house.published();
        assertThat(house.rows()).isEmpty();
    }

    @Test
    void deadCopiesAreNotTakenAgain() {
        house.commit("delete 1 a 1");
        house.published();
        house.commit("insert 1 a 1", "insert 1 a 1");
        house.published();
        house.commit("delete 1 a 1", "delete 1 a 1");
        house.published();
        assertThat(house.rows()).containsExactly("1 a 1", "1 a 1", "2 b 2");
        assertThat(house.balances()).isTrue();
    }

    @Test
    void oneCopyTooFewStops() {
        house.commit("delete 2 b 2", "delete 2 b 2");
        MergeStop stop = house.stopped();
        assertThat(stop.code()).isEqualTo(ErrorCode.MERGE_CHAIN_BROKEN);
        assertThat(stop.expected()).startsWith("2 of {id=2, ");
        assertThat(stop.found()).isEqualTo("1 of it");
    }

    @Test
    void copyThatIsOnlyThereLaterStops() {
        // Without an order nothing would be missing.
        house.commit("delete 9 z 9", "insert 9 z 9");
        assertThat(house.stopped().found()).isEqualTo("0 of it");
    }

    @Test
    void b79_sameWindowAgainMultipliesNothing() {
        MergePlan again = (MergePlan) house.window(LogPosition.NONE, house.position());
        assertThat(again.replays()).isEqualTo(4);
        assertThat(house.rows()).hasSize(4);
    }

    @Test
    void truncateForgetsEveryCopy() {
        house.commit("insert 3 c 3", "truncate", "insert 1 a 1", "insert 1 a 1");
        house.published();
        assertThat(house.rows()).containsExactly("1 a 1", "1 a 1");
    }
}
