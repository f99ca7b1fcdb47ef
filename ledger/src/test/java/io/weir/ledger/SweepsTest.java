package io.weir.ledger;

import static io.weir.ledger.RunsTest.assertCode;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.ReportReply;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/** Goal: no run hangs, whoever dies when. Method: leases end by SQL, then somebody sweeps. */
class SweepsTest {
    private static final OwnBooks BOOKS = OwnBooks.open();
    private static final Operator KIM = new Operator("kim", "the source is being rebuilt");

    private final BookLedger ledger = BOOKS.ledger;

    @AfterAll
    static void close() {
        BOOKS.close();
    }

    @Test
    void pendingPartitionsWithNobodyLeftEndTheRun() {
        RunScript script = BOOKS.created().register(2).hold();
        assertThat(BOOKS.sweep(script)).isEmpty();
        BOOKS.endLease(script);

        assertThat(BOOKS.sweep(script)).containsExactly("lease_lost");

        assertThat(script.run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(script.run().failure()).extracting("code").isEqualTo("LEASE_LOST");
        assertThat(partitions(script)).containsOnly(PartitionState.TIMED_OUT);
        assertThat(BOOKS.sweep(script)).isEmpty();
    }

    @Test
    void retryPartitionsWithNobodyLeftEndTheRun() {
        RunScript script = BOOKS.created().register(1).hold();
        script.claim();
        BOOKS.endClaims(script);
        assertThat(BOOKS.sweep(script)).containsExactly("partition_reissued");
        assertThat(partitions(script)).containsExactly(PartitionState.RETRY);
        BOOKS.endLease(script);

        assertThat(BOOKS.sweep(script)).containsExactly("lease_lost");

        assertThat(script.run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(partitions(script)).containsExactly(PartitionState.TIMED_OUT);
    }

    @Test
    void anAuditWhoseOwnerDiedIsDoneBySomebodyElse() {
        RunScript script = BOOKS.validating();
        script.measure();
        BOOKS.endLease(script);

        assertThat(BOOKS.sweep(script)).containsExactly("lease_lost");

        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        assertThat(script.run().owner()).isNull();
        assertThat(script.outbox())
                .containsExactly("VALIDATE_RUN 1 ACKED", "VALIDATE_RUN 2 PENDING");
        assertThat(ledger.stageValidated(script.id).reasons())
                .containsExactly("RUN_STATE EXTRACTED_VALIDATED");
        Dispatch again = script.open(Kind.VALIDATE_RUN);
        assertThat(Duration.between(again.createdAt(), again.dueAt())).hasSeconds(1);
        assertThat(ledger.startStep(script.id, again.id(), "w2")).isTrue();
        assertThat(script.run().owner()).isEqualTo("w2");
        assertThat(script.pass().run().state()).isEqualTo(RunState.STAGING_VALIDATED);
    }

    @Test
    void anAuditThatIsLostEachTimeFailsAfterTheLastCycle() {
        RunScript script = BOOKS.extracted();
        List<Long> pauses = loseSteps(script, Kind.VALIDATE_RUN, 3);

        assertThat(pauses).containsExactly(0L, 1L, 2L);
        assertThat(script.run().state()).isEqualTo(RunState.FAILED_STAGE_VALIDATION);
        assertThat(script.run().failure())
                .extracting("stage", "code")
                .containsExactly("STAGE_VALIDATING", "STEPS_EXHAUSTED");
        assertThat(script.outbox())
                .containsExactly(
                        "VALIDATE_RUN 1 ACKED", "VALIDATE_RUN 2 ACKED", "VALIDATE_RUN 3 ACKED");
    }

    @Test
    void aRunThatIsAuditedDoesNotHang() {
        RunScript lost = BOOKS.validated();
        loseSteps(lost, Kind.PUBLISH_RUN, 3);
        assertThat(lost.run().state()).isEqualTo(RunState.FAILED_PUBLISH);
        assertThat(lost.run().failure()).extracting("code").isEqualTo("STEPS_EXHAUSTED");
        assertThat(lost.attempt().state()).isEqualTo(AttemptState.FAILED);

        RunScript waiting = BOOKS.validated();
        BOOKS.endTime(waiting);
        assertThat(BOOKS.sweep(waiting)).containsExactly("run_overran");
        assertThat(waiting.run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(waiting.outbox())
                .containsExactly("VALIDATE_RUN 1 ACKED", "PUBLISH_RUN 1 CANCELLED");
    }

    @Test
    void aRunWhoseAuditNobodyStartsHasItsDeadline() {
        RunScript script = BOOKS.extracted();
        BOOKS.endLease(script);
        assertThat(BOOKS.sweep(script)).isEmpty();
        BOOKS.endTime(script);

        assertThat(BOOKS.sweep(script)).containsExactly("run_overran");

        assertThat(script.run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(script.run().failure())
                .isEqualTo(new Failure(
                        "EXTRACTED_VALIDATED",
                        "RUN_TIMEOUT",
                        "it was not published by " + script.run().deadline()));
        assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 CANCELLED");
    }

    @Test
    void aReadBackWhoseOwnerDiedIsNeverGivenUp() {
        RunScript script = BOOKS.validated().publish();
        BOOKS.endTime(script);
        loseSteps(script, Kind.CONFIRM_RUN, 5);
        assertThat(script.run().state()).isEqualTo(RunState.PUBLISHED);

        assertThat(script.confirm().runState()).isEqualTo(RunState.SUCCESS);
        assertThat(script.outbox()).endsWith("CONFIRM_RUN 5 ACKED", "CONFIRM_RUN 6 ACKED");
    }

    @Test
    void aDoubtWhoseResolverDiedIsNeverGivenUp() {
        RunScript script = unknown();
        BOOKS.endTime(script);

        loseSteps(script, Kind.RESOLVE_RUN, 5);

        assertThat(script.run().state()).isEqualTo(RunState.PUBLISH_UNKNOWN);
        assertThat(script.outbox()).endsWith("RESOLVE_RUN 6 PENDING");
    }

    @Test
    void aDoubtResolvedAsPublishedGoesOnToTheReadBackAndSuccess() {
        RunScript script = unknown();
        script.start(Kind.RESOLVE_RUN);

        Run run = ledger.publishResult(
                script.attempt(), PublishOutcome.PUBLISHED, 300L, "main shows 300");

        assertThat(run.state()).isEqualTo(RunState.PUBLISHED);
        assertThat(script.outbox()).endsWith("RESOLVE_RUN 1 ACKED", "CONFIRM_RUN 1 PENDING");
        assertThat(script.confirm().runState()).isEqualTo(RunState.SUCCESS);
    }

    @Test
    void aDoubtResolvedAsAbsentIsPublishedAgain() {
        RunScript script = unknown();
        script.start(Kind.RESOLVE_RUN);

        ledger.publishResult(script.attempt(), PublishOutcome.ABSENT, null, "not on main");

        assertThat(script.run().state()).isEqualTo(RunState.STAGING_VALIDATED);
        assertThat(script.run().failure()).isNull();
        assertThat(script.outbox()).endsWith("RESOLVE_RUN 1 ACKED", "PUBLISH_RUN 2 PENDING");
        PublishAttempt old = script.attempt();
        script.stage();
        assertThat(script.publish().run().state()).isEqualTo(RunState.PUBLISHED);
        assertThat(script.attempt().epoch()).isEqualTo(old.epoch() + 1);
        assertThat(old.state()).isEqualTo(AttemptState.FAILED);
    }

    @Test
    void anOperatorCancelsWhatNobodyCanSeeYet() {
        Map<RunState, Supplier<RunScript>> cancellable = new LinkedHashMap<>();
        cancellable.put(RunState.CREATED, BOOKS::created);
        cancellable.put(RunState.EXTRACTING, () -> BOOKS.created().register(2));
        cancellable.put(RunState.EXTRACTED_VALIDATED, BOOKS::extracted);
        cancellable.put(RunState.STAGE_VALIDATING, BOOKS::validating);
        cancellable.put(RunState.STAGING_VALIDATED, BOOKS::validated);
        cancellable.forEach((state, script) -> {
            RunScript run = script.get();

            Run cancelled = ledger.cancelRun(run.id, state, KIM);

            assertThat(cancelled.state()).isEqualTo(RunState.CANCELLED);
            assertThat(cancelled.failure())
                    .isEqualTo(new Failure(
                            state.name(),
                            "CANCELLED",
                            "cancelled by kim: the source is being rebuilt"));
            assertThat(ledger.cancelRun(run.id, state, KIM)).isEqualTo(cancelled);
            assertThat(run.outbox()).noneMatch(row -> row.endsWith("PENDING"));
            CreateRun next = RunsTest.withKey(run.request, UUID.randomUUID().toString());
            assertThat(ledger.createRun(next).state()).isEqualTo(RunState.CREATED);
        });
    }

    @Test
    void nobodyCancelsWhatReadersMaySee() {
        RunScript publishing = BOOKS.validated().start(Kind.PUBLISH_RUN);
        ledger.claimPublish(publishing.attempt());
        RunScript success = BOOKS.validated().publish();
        success.confirm();
        Map<RunState, RunScript> refused = Map.of(
                RunState.PUBLISHING,
                publishing,
                RunState.PUBLISH_UNKNOWN,
                unknown(),
                RunState.PUBLISHED,
                BOOKS.validated().publish(),
                RunState.SUCCESS,
                success);
        refused.forEach((state, script) -> {
            assertCode(() -> ledger.cancelRun(script.id, state, KIM), ErrorCode.RUN_STATE_MISMATCH)
                    .startsWith("Cannot end run " + script.id + " as CANCELLED: that state cannot"
                            + " follow (state=" + state);
            assertThat(script.run().state()).isEqualTo(state);
        });
        RunScript moved = BOOKS.extracted();
        assertCode(
                        () -> ledger.cancelRun(moved.id, RunState.EXTRACTING, KIM),
                        ErrorCode.RUN_STATE_MISMATCH)
                .endsWith("(state=EXTRACTED_VALIDATED, needed=EXTRACTING)");
    }

    @Test
    void aFailureAroundTheManifestEndsTheRunAtOnce() {
        Failure failure = new Failure("MANIFEST", "SOURCE_LOCKED", "locked");
        RunScript before = BOOKS.created();
        ledger.failRun(before.id, RunState.CREATED, RunState.FAILED_MANIFEST, failure);
        assertThat(before.run().state()).isEqualTo(RunState.FAILED_MANIFEST);

        // Whoever did not see the reply to the manifest is told the state, and fails from there.
        RunScript after = BOOKS.created().register(1);
        assertCode(
                        () -> ledger.failRun(
                                after.id, RunState.CREATED, RunState.FAILED_MANIFEST, failure),
                        ErrorCode.RUN_STATE_MISMATCH)
                .endsWith("(state=EXTRACTING, needed=CREATED)");
        ledger.failRun(after.id, RunState.EXTRACTING, RunState.FAILED_EXTRACT, failure);
        assertThat(after.run().state()).isEqualTo(RunState.FAILED_EXTRACT);

        RunScript silent = BOOKS.created();
        BOOKS.endLease(silent);
        assertThat(BOOKS.sweep(silent)).containsExactly("lease_lost");
        assertThat(silent.run().state()).isEqualTo(RunState.TIMED_OUT);
    }

    @Test
    void aWorkerThatEndsQuietlyIsFoundByItsLease() {
        RunScript script = BOOKS.created().register(2).hold();
        script.claim();
        WorkOrder other = script.claim();
        BOOKS.endClaims(script);
        ledger.heartbeat(other.claim(), new Progress(1, 1));

        assertThat(BOOKS.sweep(script)).containsExactly("partition_reissued");

        assertThat(partitions(script))
                .containsExactly(PartitionState.RETRY, PartitionState.RUNNING);
        assertThat(script.claim().claim().epoch()).isEqualTo(2);
    }

    @Test
    void aCreateWhoseReplyWasLostIsAnsweredAgain() {
        RunScript script = BOOKS.created().register(1);

        assertThat(ledger.createRun(script.request).id()).isEqualTo(script.id);

        assertThat(BOOKS.texts(
                        "select id from weir.run where job = ?", (Object) script.request.job()))
                .containsExactly(script.id.toString());
    }

    @Test
    void aRunThatFailsLeavesNothingOpenAndNothingKeepsItAlive() {
        RunScript script = BOOKS.created().register(3).hold();
        WorkOrder order = script.claim();
        ledger.failPartition(script.claim().claim(), new Failure("EXTRACT", "X", "x"));
        Run dead = script.run();
        int events = ledger.events(script.id).size();

        ReportReply late = script.complete(order);
        ledger.heartbeatRun(script.id, null);

        assertThat(late)
                .isEqualTo(new ReportReply(PartitionState.TIMED_OUT, RunState.FAILED_EXTRACT));
        assertThat(partitions(script))
                .containsExactly(
                        PartitionState.TIMED_OUT, PartitionState.FAILED, PartitionState.TIMED_OUT);
        assertThat(script.run()).isEqualTo(dead);
        assertThat(ledger.events(script.id)).hasSize(events);
        assertCode(
                        () -> ledger.heartbeat(order.claim(), new Progress(1, 1)),
                        ErrorCode.CLAIM_MISMATCH)
                .endsWith("it ended (state=TIMED_OUT)");
        assertCode(script::hold, ErrorCode.RUN_STATE_MISMATCH)
                .isEqualTo("Cannot hold the snapshot of run " + script.id
                        + ": it ended (state=FAILED_EXTRACT)");
    }

    private RunScript unknown() {
        RunScript script = BOOKS.validated().start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(script.attempt());
        ledger.publishResult(open, PublishOutcome.UNKNOWN, null, "no reply");
        assertThat(script.run().state()).isEqualTo(RunState.PUBLISH_UNKNOWN);
        return script;
    }

    /** The step is begun and lost so often; the pauses before each, in seconds. */
    private static List<Long> loseSteps(RunScript script, Kind kind, int times) {
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            Dispatch open = script.open(kind);
            pauses.add(Duration.between(open.createdAt(), open.dueAt()).toSeconds());
            script.start(kind);
            BOOKS.endLease(script);
            assertThat(BOOKS.sweep(script)).containsExactly("lease_lost");
        }
        return pauses;
    }

    private List<PartitionState> partitions(RunScript script) {
        return ledger.detail(script.id).partitions().stream()
                .map(partition -> partition.state())
                .toList();
    }
}
