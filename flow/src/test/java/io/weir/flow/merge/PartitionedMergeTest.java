package io.weir.flow.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.route.PartitionBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Rows go into the partition of their values, and leave the one that they had. */
class PartitionedMergeTest {
    @TempDir
    Path directory;

    @Test
    void b71_changedPartitionColumnLeavesNoOldRow() {
        try (MergeHouse house = new MergeHouse(
                directory, List.of("id"), PartitionBy.parse("name, bucket(4, id)"))) {
            house.commit("insert 1 eu 10", "insert 2 us 20", "insert 3 ~ 30", "insert 4 eu 40");
            house.published();
            house.commit("update 1 eu 10 > 1 us 10", "update 3 ~ 30 > 3 eu 31", "delete 4 eu 40");
            MergePlan plan = house.published();
            assertThat(plan.delta().appended()).hasSize(2);
            assertThat(house.rows()).containsExactly("1 us 10", "2 us 20", "3 eu 31");
            assertThat(house.balances()).isTrue();
        }
    }
}
