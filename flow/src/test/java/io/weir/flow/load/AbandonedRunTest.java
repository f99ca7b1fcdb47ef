package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.source.Source;
import io.weir.table.LakeTable;
import io.weir.table.Published;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A coordinator dies: an {@link Error} that no code of ours catches stands for it, and its lease is
 * ended by hand. The same command again must neither lose nor double a row.
 */
class AbandonedRunTest {
    private static final LoadJob APPEND = LoadHouse.job("orders", PublishMode.APPEND);

    @TempDir
    Path directory;

    private LoadHouse house;

    @BeforeEach
    void open() {
        house = new LoadHouse(directory);
        house.shop.execute(
                "create table orders (id bigint primary key, amount numeric(12, 2))",
                "insert into orders select n, n from generate_series(1, 3000) as n");
    }

    @AfterEach
    void close() {
        house.close();
    }

    /** Death; no handler of exceptions sees it. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private Run dieWhen(LoadListener death) {
        return dieWhen(APPEND, death);
    }

    private Run dieWhen(LoadJob job, LoadListener death) {
        assertThatThrownBy(() -> house.load(job, "monday", death)).isInstanceOf(Killed.class);
        return house.ledger.runs(new RunFilter("orders", true, 1)).get(0);
    }

    private Run dieAfterTheAudit() {
        return dieAfterTheAudit(APPEND);
    }

    private Run dieAfterTheAudit(LoadJob job) {
        Run run = dieWhen(job, new LoadListener() {
            @Override
            public void audited(Run audited) {
                throw new Killed();
            }
        });
        assertThat(run.state()).isEqualTo(RunState.STAGING_VALIDATED);
        return run;
    }

    private void endLease() {
        house.books.execute(
                "update weir.run set lease_until = clock_timestamp() - interval '1 second'");
    }

    private PublishAttempt claim(Run run) {
        RunDetail detail = house.ledger.detail(run.id());
        Dispatch asked = detail.dispatches().get(detail.dispatches().size() - 1);
        assertThat(house.ledger.startStep(run.id(), asked.id(), "dead")).isTrue();
        return house.ledger.claimPublish(
                house.ledger.detail(run.id()).attempts().get(0));
    }

    private String rows() {
        return house.query("sales.orders", "select count(*) from sales.orders");
    }

    @Test
    void staysInTheWayWhileItsLeaseRuns() {
        Run dead = dieAfterTheAudit();

        assertThatThrownBy(() -> house.load(APPEND, "monday"))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_ACTIVE_RUN))
                .hasMessageContaining(dead.id().toString());
        assertThat(rows()).isEqualTo("0");
    }

    @Test
    @Timeout(120)
    void aStepWhoseOwnerDiedIsDoneAgainWhileItsCoordinatorLives() {
        LoadListener thief = new LoadListener() {
            @Override
            public void extracted(Run run) {
                Dispatch asked = house.ledger.detail(run.id()).dispatches().get(0);
                assertThat(house.ledger.startStep(run.id(), asked.id(), "dead")).isTrue();
            }
        };
        Ledger swept = LossyLedger.hooked(
                house.ledger,
                call -> {
                    if (call.equals("detail")) {
                        house.ledger.sweep();
                    }
                },
                call -> {});
        LoadSettings settings = LoadHouse.SETTINGS.withLease(Duration.ofSeconds(3));

        List<RunDetail> details;
        try (Source source = house.source()) {
            details = house.flow(swept, settings).load(source, List.of(APPEND), "monday", thief);
        }

        assertThat(details)
                .extracting(detail -> detail.run().state())
                .containsExactly(RunState.SUCCESS);
        assertThat(rows()).isEqualTo("3000");
    }

    @Test
    void isClosedByTheNextRunIfItWasStillReading() {
        Run dead = dieWhen(new LoadListener() {
            @Override
            public void planned(Run run, List<PartitionProgress> partitions) {
                throw new Killed();
            }
        });
        assertThat(dead.state()).isEqualTo(RunState.EXTRACTING);
        endLease();

        RunDetail next = house.load(APPEND, "monday");

        assertThat(next.run().id()).isNotEqualTo(dead.id());
        assertThat(next.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(house.ledger.detail(dead.id()).run().state())
                .isIn(RunState.TIMED_OUT, RunState.FAILED_SNAPSHOT_EXPIRED);
        assertThat(rows()).isEqualTo("3000");
    }

    @Test
    void isPublishedByTheNextCommandIfItWasAudited() {
        Run dead = dieAfterTheAudit();
        endLease();

        RunDetail next = house.load(APPEND, "monday");

        assertThat(next.run().id()).isEqualTo(dead.id());
        assertThat(next.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(next.attempts()).hasSize(1);
        assertThat(rows()).isEqualTo("3000");
    }

    // F43
    @Test
    void isNotPublishedOverWhatWasLoadedSince() {
        LoadJob replace = LoadHouse.job("orders", PublishMode.REPLACE);
        Run dead = dieAfterTheAudit(replace);
        house.shop.execute("insert into orders values (3001, 1)");
        assertThat(house.load(replace, "tuesday").run().state()).isEqualTo(RunState.SUCCESS);
        endLease();

        assertThatThrownBy(() -> house.load(replace, "monday"))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_MOVED))
                .hasMessageContaining("Cannot publish run " + dead.id() + ": run ")
                .hasMessageContaining(", which is newer, was published to sales.orders before it");
        assertThat(house.ledger.detail(dead.id()).run().state()).isEqualTo(RunState.FAILED_PUBLISH);
        assertThat(rows()).isEqualTo("3001");

        house.shop.execute("insert into orders values (3002, 1)");
        assertThat(house.load(replace, "monday").run().id()).isNotEqualTo(dead.id());
        assertThat(rows()).isEqualTo("3002");
    }

    @Test
    void isFinishedIfItHadPublished() {
        Run dead = dieWhen(new LoadListener() {
            @Override
            public void published(Run published) {
                throw new Killed();
            }
        });
        endLease();

        RunDetail again = house.load(APPEND, "monday");

        assertThat(again.run().id()).isEqualTo(dead.id());
        assertThat(again.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(rows()).isEqualTo("3000");
    }

    @Test
    void isFoundPublishedIfItsCommitArrived() {
        Run dead = dieAfterTheAudit();
        LakeTable table = house.catalog.load("sales.orders");
        assertThat(table.publish(claim(dead), PublishMode.APPEND).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);
        endLease();

        RunDetail again = house.load(APPEND, "monday");

        assertThat(again.run().id()).isEqualTo(dead.id());
        assertThat(again.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(again.attempts().get(0).evidence()).isNotBlank();
        assertThat(rows()).isEqualTo("3000");
    }

    @Test
    void isProvenUnpublishedIfItsCommitNeverArrivedAndCanNeverArriveLater() {
        Run dead = dieAfterTheAudit();
        PublishAttempt claimed = claim(dead);
        endLease();

        RunDetail next = house.load(APPEND, "monday");

        // Proven absent, the audited files are published under the next epoch.
        assertThat(next.run().id()).isEqualTo(dead.id());
        assertThat(next.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(next.attempts())
                .extracting(PublishAttempt::state)
                .containsExactly(AttemptState.FAILED, AttemptState.PUBLISHED);
        assertThat(next.attempts().get(1).epoch()).isGreaterThan(claimed.epoch());
        assertThat(house.catalog
                        .load("sales.orders")
                        .publish(claimed, PublishMode.APPEND)
                        .outcome())
                .isEqualTo(Published.Outcome.MOVED);
        assertThat(rows()).isEqualTo("3000");
        assertThat(house.ledger.runs(new RunFilter("orders", true, 10))).isEqualTo(List.of());
    }

    @Test
    void keepsNoOtherRunFromItsTargetIfItsCommitArrived() {
        Run dead = dieAfterTheAudit();
        LakeTable table = house.catalog.load("sales.orders");
        assertThat(table.publish(claim(dead), PublishMode.APPEND).outcome())
                .isEqualTo(Published.Outcome.PUBLISHED);
        endLease();

        RunDetail next = house.load(APPEND, "tuesday");

        assertThat(next.run().state()).isEqualTo(RunState.SUCCESS);
        RunDetail found = house.ledger.detail(dead.id());
        assertThat(found.run().state()).isEqualTo(RunState.PUBLISHED);
        assertThat(found.attempts())
                .extracting(PublishAttempt::state)
                .containsExactly(AttemptState.PUBLISHED);
        assertThat(rows()).isEqualTo("6000");
    }

    @Test
    void keepsNoOtherRunFromItsTargetIfItsCommitNeverArrived() {
        Run dead = dieAfterTheAudit();
        PublishAttempt claimed = claim(dead);
        endLease();

        RunDetail next = house.load(APPEND, "tuesday");

        assertThat(next.run().state()).isEqualTo(RunState.SUCCESS);
        RunDetail found = house.ledger.detail(dead.id());
        assertThat(found.run().state()).isEqualTo(RunState.STAGING_VALIDATED);
        assertThat(found.attempts())
                .extracting(PublishAttempt::state)
                .containsExactly(AttemptState.FAILED);
        assertThat(house.catalog
                        .load("sales.orders")
                        .publish(claimed, PublishMode.APPEND)
                        .outcome())
                .isEqualTo(Published.Outcome.MOVED);
        assertThat(rows()).isEqualTo("3000");
    }
}
