package io.weir.flow.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.engine.MergeShare;
import io.weir.table.LogPosition;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Windows of changes that tell whole rows, merged by their digests. */
class WindowMergeTest {
    @TempDir
    Path directory;

    private MergeHouse house;

    @BeforeEach
    void open() {
        house = new MergeHouse(directory);
    }

    @AfterEach
    void close() {
        house.close();
    }

    @Test
    void insertsUpdatesAndDeletesArrive() {
        house.commit("insert 1 anna 10", "insert 2 bert 20", "insert 3 carl ~");
        MergePlan first = house.published();
        assertThat(first.inserted()).isEqualTo(3);
        assertThat(first.events()).isEqualTo(3);
        assertThat(house.rows()).containsExactly("1 anna 10", "2 bert 20", "3 carl ~");

        house.commit("update 1 anna 10 > 1 anna 11", "delete 2 bert 20", "insert 4 dora 40");
        MergePlan second = house.published();
        assertThat(second.inserted()).isEqualTo(1);
        assertThat(second.updated()).isEqualTo(1);
        assertThat(second.deleted()).isEqualTo(1);
        assertThat(second.opening()).isEqualTo(first.closing());
        assertThat(second.opening().rows()).isEqualTo(3);
        assertThat(second.closing().rows()).isEqualTo(3);
        assertThat(house.rows()).containsExactly("1 anna 11", "3 carl ~", "4 dora 40");
        assertThat(house.balances()).isTrue();
        assertThat(house.table.state().merged()).isEqualTo(new LogPosition(20, "0/20"));
        assertThat(house.table.state().verified()).isEqualTo(new LogPosition(20, "0/20"));
    }

    /** What does not fit into a share says so, leaves nothing, and fits into a larger one. */
    @Test
    void aMergeThatRunsOutOfMemoryMayBePlannedAgainWithMore() {
        house.commit("insert 1 anna 10", "insert 2 bert 20");
        MergeOrder order = house.order(house.table.state().merged(), house.position());
        PublishAttempt attempt = house.attempt();
        assertThatThrownBy(() -> house.plan(order, attempt, new MergeShare(1 << 10, 1)))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.ENGINE_MEMORY_EXCEEDED));
        MergeAnswer again = house.plan(order, attempt, new MergeShare(64 << 20, 1));
        assertThat(again).isInstanceOf(MergePlan.class);
        assertThat(house.published().inserted()).isEqualTo(2);
    }

    @Test
    void lostUpdateStopsAtTheNextChangeOfTheKey() {
        house.commit("insert 7 g 1", "insert 8 h 1");
        house.published();
        long before = house.table.state().snapshotId();
        // The update to 2 got lost.
        house.commit("update 8 h 1 > 8 h 5");
        house.commit("update 7 g 2 > 7 g 3");
        house.commit("update 7 g 3 > 7 g 4");

        MergeStop stop = house.stopped();

        assertThat(stop.code()).isEqualTo(ErrorCode.MERGE_CHAIN_BROKEN);
        assertThat(stop.key()).isEqualTo("id=7");
        assertThat(stop.place()).isEqualTo(30);
        assertThat(stop.ordinal()).isEqualTo(1);
        assertThat(stop.expected()).isEqualTo("{qty=2}");
        assertThat(stop.found()).isEqualTo("{qty=1}");
        assertThat(stop.toException().text())
                .contains("(id=7, expected={qty=2}, found={qty=1}, place=30, ordinal=1)");
        assertThat(stop.command()).contains("weir rebuild sales.t");
        assertThat(house.table.state().snapshotId()).isEqualTo(before);
        assertThat(house.rows()).containsExactly("7 g 1", "8 h 1");
    }
}
