package io.weir.flow.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.row.Balance;
import io.weir.engine.Uniqueness;
import io.weir.table.LocalFileIO;
import io.weir.table.LogPosition;
import io.weir.table.Published;
import io.weir.table.ReplicaDelta;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;

/** What the audit sees that counts do not, and steps that are done twice or by two. */
class AuditScenarioTest {
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

    private MergePlan plan(PublishAttempt attempt) {
        MergeOrder order = house.order(house.table.state().merged(), house.position());
        return (MergePlan) house.plan(order, attempt);
    }

    /** Writes a file anew with other quantities; names, keys, counts and digests stay. */
    private static void damage(String location) throws Exception {
        Path file = LocalFileIO.pathOf(location);
        Path other = file.resolveSibling("other");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("copy (select id, name, (qty + 1)::integer as qty, _row_hash from '"
                    + file + "') to '" + other
                    + "' (format parquet, field_ids {id: 1, name: 2, qty: 3, _row_hash: 4})");
        }
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void equalCountsOfOtherValuesAreNotPublished() throws Exception {
        house.commit("update 1 anna 10 > 1 anna 11", "insert 4 d 4");
        PublishAttempt attempt = house.attempt();
        MergePlan plan = plan(attempt);
        PublishAttempt staged = attempt.withStaged(house.merge.stage(attempt, plan));
        damage(plan.delta().appended().get(0).path());

        assertThatThrownBy(() -> house.audit(staged, plan))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.MERGE_BALANCE_DIFFERS);
                    assertThat(e.text()).contains("rows that come in", "2 rows differ");
                });
        assertThat(house.rows()).containsExactly("1 anna 10", "2 bert 20", "3 carl 30");
    }

    @Test
    void whatIsReadWhileStagingIsWhatTheAuditCompares() throws Exception {
        house.commit("update 1 anna 10 > 1 anna 11", "insert 4 d 4");
        PublishAttempt attempt = house.attempt();
        MergePlan plan = plan(attempt);
        damage(plan.delta().appended().get(0).path());

        try (ReadBack read = house.merge.readBack(plan)) {
            PublishAttempt staged = attempt.withStaged(house.merge.stage(attempt, plan));
            assertThatThrownBy(() -> house.merge.audit(staged, plan, read))
                    .isInstanceOfSatisfying(WeirException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.MERGE_BALANCE_DIFFERS);
                        assertThat(e.text()).contains("rows that come in", "2 rows differ");
                    });
        }
    }

    @Test
    void stagedFilesOfAnotherPlanAreReadAfterAll() throws Exception {
        house.commit("update 1 anna 10 > 1 anna 11", "insert 4 d 4");
        PublishAttempt attempt = house.attempt();
        MergePlan first = plan(attempt);
        PublishAttempt staged = attempt.withStaged(house.merge.stage(attempt, first));
        MergePlan again = plan(attempt);
        damage(first.delta().appended().get(0).path());

        // What this plan wrote is whole, but it is not what is staged.
        try (ReadBack read = house.merge.readBack(again)) {
            assertThatThrownBy(() -> house.merge.audit(staged, again, read))
                    .isInstanceOfSatisfying(WeirException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.MERGE_BALANCE_DIFFERS);
                        assertThat(e.text()).contains("rows that come in", "2 rows differ");
                    });
        }
    }

    @Test
    void storedRowOfOtherValuesIsSeenWhenItGoesOut() throws Exception {
        damage(house.table
                .filesOf(house.table.state().snapshotId())
                .get(0)
                .file()
                .path());
        house.commit("update 1 anna 10 > 1 anna 11");
        PublishAttempt attempt = house.attempt();
        MergePlan plan = plan(attempt);
        PublishAttempt staged = attempt.withStaged(house.merge.stage(attempt, plan));

        assertThatThrownBy(() -> house.audit(staged, plan))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.MERGE_BALANCE_DIFFERS);
                    assertThat(e.text()).contains("rows that go out", "1 rows differ");
                });
    }

    @Test
    void stepsThatAreDoneTwiceHaveOneEffect() {
        house.commit("update 1 anna 10 > 1 anna 11", "delete 2 bert 20");
        PublishAttempt attempt = house.attempt();
        MergePlan plan = plan(attempt);
        long first = house.merge.stage(attempt, plan);
        // Another process goes on: it plans again into the same files.
        MergePlan again = plan(attempt);
        assertThat(again.closing()).isEqualTo(plan.closing());
        assertThat(again.delta().appended().get(0).path())
                .isNotEqualTo(plan.delta().appended().get(0).path());
        assertThat(house.merge.stage(attempt, again)).isEqualTo(first);
        PublishAttempt staged = attempt.withStaged(first);
        house.audit(staged, again);
        assertThat(house.merge.publish(staged, again).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);
        assertThat(house.merge.publish(staged, plan).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);
        assertThat(house.rows()).containsExactly("1 anna 11", "3 carl 30");
        assertThat(house.balances()).isTrue();
    }

    @Test
    void b109_attemptThatWasGivenUpLeavesNothing() {
        house.commit("update 1 anna 10 > 1 anna 11");
        PublishAttempt lost = house.attempt();
        MergePlan plan = plan(lost);
        PublishAttempt staged = lost.withStaged(house.merge.stage(lost, plan));
        house.commit("update 1 anna 11 > 1 anna 12");
        house.table.lake().fence(staged);
        house.published();
        assertThat(house.merge.publish(staged, plan).outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(house.rows()).containsExactly("1 anna 12", "2 bert 20", "3 carl 30");
        assertThat(house.balances()).isTrue();
    }

    @Test
    void mainThatMovedIsMergedAgain() {
        house.commit("update 1 anna 10 > 1 anna 11");
        PublishAttempt slow = house.attempt();
        MergePlan plan = plan(slow);
        PublishAttempt staged = slow.withStaged(house.merge.stage(slow, plan));
        house.published();
        Published late = house.merge.publish(staged, plan);
        assertThat(late.outcome()).isEqualTo(Published.Outcome.MOVED);
        assertThat(late.reason()).contains("a later attempt is published");
        assertThat(house.published().delta().isEmpty()).isTrue();
        assertThat(house.rows()).containsExactly("1 anna 11", "2 bert 20", "3 carl 30");
    }

    @Test
    void planOnAnotherBaseIsRefused() {
        PublishAttempt attempt = house.attempt();
        house.commit("insert 4 d 4");
        house.published();
        house.commit("insert 5 e 5");
        assertThatThrownBy(() -> plan(attempt))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MOVED));
    }

    @Test
    void deltaThatDoesNotBeginAtThePositionIsRefused() {
        house.commit("insert 4 d 4");
        PublishAttempt attempt = house.attempt();
        MergePlan plan = plan(attempt);
        ReplicaDelta wrong = new ReplicaDelta(
                plan.delta().appended(),
                List.of(),
                false,
                Balance.ZERO,
                plan.after(),
                new LogPosition(5, "0/5"),
                house.position());
        assertThatThrownBy(() -> house.table.stage(attempt, wrong))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MOVED));
    }

    @Test
    void fullCheckFindsAKeyThatWasDoubledBefore() {
        house.commit("insert 9 z 9");
        PublishAttempt other = house.attempt();
        ReplicaDelta twin = plan(other).delta();
        house.published();
        // The same rows again, past every check of the merge.
        PublishAttempt forced = house.attempt();
        ReplicaDelta delta = new ReplicaDelta(
                twin.appended(),
                List.of(),
                false,
                Balance.ZERO,
                twin.appendedBalance(),
                house.position(),
                house.position());
        house.table.publish(forced.withStaged(house.table.stage(forced, delta)));
        assertThat(house.rows()).contains("9 z 9").hasSize(5);

        house.commit("update 1 anna 10 > 1 anna 11");
        PublishAttempt attempt = house.attempt();
        MergeOrder order =
                house.with(Uniqueness.FULL).order(house.table.state().merged(), house.position());
        MergeStop stop = (MergeStop) house.plan(order, attempt);
        assertThat(stop.code()).isEqualTo(ErrorCode.MERGE_KEY_NOT_UNIQUE);
        assertThat(stop.key()).isEqualTo("id=9");
        assertThat(stop.found()).isEqualTo("2 rows");
    }

    @Test
    void fullCheckOfASoundTableFindsNothing() {
        house.with(Uniqueness.FULL).commit("update 1 anna 10 > 1 anna 11", "delete 2 bert 20");
        house.published();
        house.commit("insert 2 bert 21", "update 1 anna 11 > 1 anna 12");
        house.published();
        assertThat(house.rows()).containsExactly("1 anna 12", "2 bert 21", "3 carl 30");
    }
}
