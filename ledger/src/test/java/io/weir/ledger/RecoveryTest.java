package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.publish.AttemptState;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.dispatch.DispatchCommand.DispatchRules;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** What a sweep does with lost workers, lost snapshots, lost deliveries and lost publishers. */
class RecoveryTest {
    private static final OwnBooks BOOKS = OwnBooks.open();

    private final BookLedger ledger = BOOKS.ledger;

    @AfterAll
    static void close() {
        BOOKS.close();
    }

    @Test
    void leavesFreshWorkAlone() {
        RunScript script = BOOKS.created().register(2).hold();
        script.claim();
        int events = ledger.events(script.id).size();

        assertThat(BOOKS.sweep(script)).isEmpty();

        assertThat(ledger.events(script.id)).hasSize(events);
    }

    @Test
    void aLostWorkerEndsARunThatReadsNothingAgain() {
        RunScript script = BOOKS.created(RecoveryMode.FAIL).register(2).hold();
        script.claim();
        BOOKS.endClaims(script);

        assertThat(BOOKS.sweep(script)).containsExactly("partition_stale");

        Run run = script.run();
        assertThat(run.state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(run.failure()).extracting("code").isEqualTo("PARTITION_STALE");
        assertThat(run.failure())
                .extracting("message")
                .asString()
                .startsWith("Cannot extract partition 0000 of run " + script.id
                        + ": every claim was lost (claims=1, last worker=worker, lease until=");
        assertThat(states(script)).containsExactly(PartitionState.FAILED, PartitionState.TIMED_OUT);
    }

    @Test
    void aLostWorkerCostsOneClaimAndTheRunGoesOn() {
        RunScript script = BOOKS.created().register(2).hold();
        WorkOrder lost = script.claim();
        script.claim();
        TestBooks.endLease(BOOKS.jdbi, "partition", "token", lost.claim().token());

        assertThat(BOOKS.sweep(script)).containsExactly("partition_reissued");

        assertThat(states(script)).containsExactly(PartitionState.RETRY, PartitionState.RUNNING);
        WorkOrder again = script.claim();
        assertThat(again.claim().partitionId()).isEqualTo(PartitionId.ofIndex(0));
        assertThat(again.claim().epoch()).isEqualTo(2);
        assertThat(again.range()).isEqualTo(lost.range());
        assertThat(again.path()).endsWith("/p=0000/e=2/");
        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTING);
    }

    @Test
    void aRunIsReadAgainWholeOrNotAtAll() {
        RunScript script = BOOKS.created().register(2).hold();
        PartitionId worn = PartitionId.ofIndex(1);
        for (int claim = 1; claim <= 3; claim++) {
            assertThat(ledger.claim(script.id, worn, UUID.randomUUID(), "w")).isPresent();
            if (claim == 3) {
                script.claim();
            }
            BOOKS.endClaims(script);
            if (claim < 3) {
                assertThat(BOOKS.sweep(script)).containsExactly("partition_reissued");
            }
        }

        assertThat(BOOKS.sweep(script)).containsExactly("reissues_exhausted");

        // The first partition had two claims left, and is not given back all the same.
        assertThat(states(script)).containsExactly(PartitionState.TIMED_OUT, PartitionState.FAILED);
        assertThat(script.run().state()).isEqualTo(RunState.FAILED_EXTRACT);
        assertThat(script.run().failure())
                .extracting("code")
                .isEqualTo("REISSUE_ATTEMPTS_EXHAUSTED");
        Partition failed = ledger.detail(script.id).partitions().get(1);
        assertThat(failed.failure()).extracting("code").isEqualTo("LEASE_LOST");
        assertThat(ledger.events(script.id))
                .filteredOn(event -> event.name().equals("PARTITION_REISSUED"))
                .hasSize(2);
    }

    @Test
    void aRunHasItsTimeHoweverAliveItsWorkersAre() {
        RunScript script = BOOKS.created().register(1).hold();
        script.claim();
        BOOKS.endTime(script);

        assertThat(BOOKS.sweep(script)).containsExactly("run_overran");

        assertThat(script.run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(script.run().failure()).extracting("code").isEqualTo("RUN_TIMEOUT");
        assertThat(states(script)).containsExactly(PartitionState.TIMED_OUT);
    }

    @Test
    void aStepThatWasTakenAndNeverStartedIsSentAgainUntilItIsDead() {
        RunScript script = BOOKS.extracted();
        BookLedger impatient = BOOKS.process(OwnBooks.SETTINGS.withDispatch(
                Duration.ofSeconds(60),
                new DispatchRules(
                        2, Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofMinutes(2))));
        BOOKS.endSweeper();

        send(impatient, script);
        assertThat(OwnBooks.rules(impatient.sweep(), script)).isEmpty();
        answerNever(script);
        assertThat(OwnBooks.rules(impatient.sweep(), script))
                .containsExactly("dispatch_sent_again");
        Dispatch again = script.open(Kind.VALIDATE_RUN);
        assertThat(again.state()).isEqualTo(DispatchState.PENDING);
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(again.lastError()).startsWith("taken at ").endsWith(", but never started");
        BOOKS.endPause(script);
        send(impatient, script);
        answerNever(script);

        assertThat(OwnBooks.rules(impatient.sweep(), script)).containsExactly("dispatch_dead");

        // Somebody has to look at the receiver first: nothing asks again by itself.
        assertThat(OwnBooks.rules(impatient.sweep(), script)).isEmpty();
        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 DEAD");
        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        BOOKS.endSweeper();
    }

    private static void send(BookLedger process, RunScript script) {
        Dispatch leased = process.leaseDispatches(1000).stream()
                .filter(dispatch -> dispatch.runId().equals(script.id))
                .findFirst()
                .orElseThrow();
        process.settleDispatch(leased, Delivery.ACCEPTED);
    }

    private static void answerNever(RunScript script) {
        BOOKS.update(
                "update weir.dispatch set sent_at = sent_at - interval '2 minutes'"
                        + " where run_id = ?",
                script.id.value());
    }

    @Test
    void aLostPublisherLeavesADoubtThatSomebodyIsCalledToResolve() {
        RunScript script = BOOKS.validated().start(Kind.PUBLISH_RUN);
        ledger.claimPublish(script.attempt());
        BOOKS.endLease(script);

        assertThat(BOOKS.sweep(script)).containsExactly("lease_lost");

        Run run = script.run();
        assertThat(run.state()).isEqualTo(RunState.PUBLISH_UNKNOWN);
        assertThat(run.owner()).isNull();
        assertThat(run.failure())
                .isEqualTo(new Failure(
                        "PUBLISH",
                        "TABLE_COMMIT_UNKNOWN",
                        "its coordinator gave no sign since its lease ended at "
                                + run.leaseUntil()));
        assertThat(script.attempt().state()).isEqualTo(AttemptState.UNKNOWN);
        assertThat(script.attempt().evidence())
                .isEqualTo("its coordinator gave no sign since its lease ended at "
                        + run.leaseUntil());
        assertThat(script.outbox()).endsWith("PUBLISH_RUN 1 ACKED", "RESOLVE_RUN 1 PENDING");
    }

    @Test
    void aStepThatNobodyAskedForIsAskedFor() {
        RunScript script = BOOKS.extracted();
        BOOKS.update("delete from weir.dispatch where run_id = ?", script.id.value());

        assertThat(BOOKS.sweep(script)).containsExactly("step_asked_again");

        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 PENDING");
        assertThat(BOOKS.sweep(script)).isEmpty();
    }

    @Test
    void whatNobodyKeepsCannotBeReadAnyMore() {
        RunScript script = BOOKS.created().register(2).hold();
        script.claim();
        BOOKS.endHolders(script);

        assertThat(BOOKS.sweep(script)).containsExactly("snapshot_expired");

        assertThat(script.run().state()).isEqualTo(RunState.FAILED_SNAPSHOT_EXPIRED);
        assertThat(script.run().failure())
                .isEqualTo(new Failure(
                        "EXTRACT",
                        "SOURCE_SNAPSHOT_EXPIRED",
                        "Cannot read the rest of run " + script.id
                                + ": no process keeps its snapshot any more"
                                + " (snapshot=00000003-00000002-1)"));
        assertThat(states(script)).containsOnly(PartitionState.TIMED_OUT);
    }

    @Test
    void whoReadsAlreadyNeedsNoHolder() {
        RunScript script = BOOKS.created().register(1).hold();
        WorkOrder order = script.claim();
        BOOKS.endHolders(script);
        assertThat(BOOKS.sweep(script)).isEmpty();
        BOOKS.endClaims(script);

        // Given back and found unreadable in one sweep: nobody can claim it in between.
        assertThat(BOOKS.sweep(script)).containsExactly("partition_reissued", "snapshot_expired");

        assertThat(order.claim().epoch()).isEqualTo(1);
        assertThat(states(script)).containsExactly(PartitionState.TIMED_OUT);
    }

    @Test
    void theNextOrderNamesTheSnapshotOfAHolderThatLives() {
        RunScript script = BOOKS.created().register(1).hold();
        SnapshotToken second = new SnapshotToken(SnapshotToken.POSTGRESQL, "00000007-00000001-1");
        WorkOrder lost = script.claim();
        assertThat(lost.snapshot().text()).isEqualTo("00000003-00000002-1");
        BOOKS.endHolders(script);
        BOOKS.endClaims(script);
        ledger.holdSnapshot(script.id, UUID.randomUUID(), second, "w2");

        assertThat(BOOKS.sweep(script)).containsExactly("partition_reissued");

        assertThat(script.claim().snapshot()).isEqualTo(second);
        assertThat(script.run().snapshot()).isEqualTo(lost.snapshot());
    }

    @Test
    void aSnapshotThatTheSourceKeepsNeedsNoHolder() {
        RunScript script = BOOKS.created();
        Manifest manifest = RunScript.manifest(1);
        ledger.registerManifest(
                script.id,
                new Manifest(
                        new SnapshotToken("oracle-scn", "10273"),
                        null,
                        manifest.consistency(),
                        manifest.sourceCount(),
                        manifest.columns(),
                        manifest.keyColumns(),
                        manifest.reading(),
                        manifest.expectation(),
                        manifest.parts()));

        assertThat(BOOKS.sweep(script)).isEmpty();

        assertThat(script.claim().snapshot().text()).isEqualTo("10273");
    }

    private List<PartitionState> states(RunScript script) {
        return ledger.detail(script.id).partitions().stream()
                .map(Partition::state)
                .toList();
    }
}
