package io.weir.flow.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.route.PartitionBy;
import io.weir.engine.MergeStrategy;
import io.weir.engine.Uniqueness;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.List;

/** Windows of changes that tell of rows before only the key, or less. */
class PrimaryKeyTest {
    @TempDir
    Path directory;

    private MergeHouse house;

    @BeforeEach
    void open() {
        house = new MergeHouse(directory).by(MergeStrategy.PRIMARY_KEY);
        house.commit("insert 1 anna 10", "insert 2 bert 20", "insert 3 carl 30");
        house.published();
    }

    @AfterEach
    void close() {
        house.close();
    }

    @ParameterizedTest
    @EnumSource
    void lastChangeOfAKeyCounts(Uniqueness uniqueness) {
        house.with(uniqueness).commit("update 1 anna 11", "delete 2 ? ?", "insert 4 d 4");
        house.commit("update 1 anna 12");
        MergePlan plan = house.published();
        assertThat(plan.updated()).isEqualTo(1);
        assertThat(plan.deleted()).isEqualTo(1);
        assertThat(plan.inserted()).isEqualTo(1);
        assertThat(house.rows()).containsExactly("1 anna 12", "3 carl 30", "4 d 4");
        assertThat(house.balances()).isTrue();
    }

    @Test
    void updateOfARowThatIsNotThereStops() {
        house.commit("update 9 x 1");
        MergeStop stop = house.stopped();
        assertThat(stop.code()).isEqualTo(ErrorCode.MERGE_CHAIN_BROKEN);
        assertThat(stop.key()).isEqualTo("id=9");
        assertThat(stop.expected()).isEqualTo("a row");
        assertThat(stop.found()).isEqualTo("no row");
    }

    @Test
    void insertOfARowThatIsThereStops() {
        house.commit("insert 1 x 1");
        MergeStop stop = house.stopped();
        assertThat(stop.key()).isEqualTo("id=1");
        assertThat(stop.expected()).isEqualTo("no row");
        assertThat(stop.found()).startsWith("{id=");
    }

    @Test
    void deleteOfADeletedRowInsideOfAWindowStops() {
        house.commit("delete 1 ? ?");
        house.commit("delete 1 ? ?");
        assertThat(house.stopped().place()).isEqualTo(30);
    }

    @Test
    void b60_valueThatWasNotSentComesFromTheTable() {
        house.commit("update 1 ? 11");
        house.published();
        assertThat(house.rows()).contains("1 anna 11").hasSize(3);
        assertThat(house.balances()).isTrue();
    }

    @Test
    void b62_nullThatWasSentStaysNull() {
        house.commit("update 1 ~ 11", "update 1 ? 12");
        house.published();
        assertThat(house.rows()).contains("1 ~ 12").hasSize(3);
        assertThat(house.balances()).isTrue();
    }

    @Test
    void twoPartialUpdatesInAWindowAreBothKept() {
        house.commit("update 1 ? 11", "update 1 annemarie ?");
        house.commit("update 2 bernd ?", "update 2 ? 22", "update 3 ? 33");
        house.published();
        assertThat(house.rows()).containsExactly("1 annemarie 11", "2 bernd 22", "3 carl 33");
        assertThat(house.balances()).isTrue();
    }

    @Test
    void b61_deleteAfterAPartialUpdateTakesTheRow() {
        house.commit("update 1 ? 11", "delete 1 ? ?");
        house.published();
        assertThat(house.rows()).containsExactly("2 bert 20", "3 carl 30");
    }

    @Test
    void b63_insertAfterAPartialUpdateAndDeleteTakesNothingFromBefore() {
        house.commit("update 1 ? 11", "delete 1 ? ?", "insert 1 ~ 1", "update 1 ? 2");
        house.published();
        assertThat(house.rows()).contains("1 ~ 2").hasSize(3);
    }

    @Test
    void partialUpdateThatChangesNothingLeavesNoSnapshot() {
        int snapshots = house.snapshots();
        house.commit("update 1 ? 10");
        assertThat(house.published().delta().isEmpty()).isTrue();
        assertThat(house.snapshots()).isEqualTo(snapshots);
    }

    @Test
    void b64_deleteThatTellsOnlyTheKeyFindsItsPartition() {
        house.close();
        house = new MergeHouse(directory.resolve("other"), List.of("id"), PartitionBy.parse("name"))
                .by(MergeStrategy.PRIMARY_KEY);
        house.commit("insert 1 eu 10", "insert 2 us 20", "insert 3 eu 30");
        house.published();
        house.commit("delete 1 ? ?", "update 2 eu 21");
        house.published();
        assertThat(house.rows()).containsExactly("2 eu 21", "3 eu 30");
        assertThat(house.balances()).isTrue();
    }
}
