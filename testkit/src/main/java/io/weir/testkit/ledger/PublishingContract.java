package io.weir.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.Judgement;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Cut;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The same for publishing, for what is left behind and for what people do. */
public abstract class PublishingContract extends StreamContract {
    private static final Operator SOMEBODY = new Operator("somebody", "a reason");

    @Test
    void aRunSucceedsOnceItWasReadBack() {
        LedgerScript script = created().published(2);
        script.start("reader");
        Judgement early = ledger.succeed(script.id());
        ledger.recordMetrics(script.id(), Stage.TARGET, script.measures());

        assertThat(early.passed()).isFalse();
        assertThat(early.reasons()).contains("MISSING balance", "MISSING row_count");
        assertThat(ledger.succeed(script.id()).passed()).isTrue();
        assertThat(ledger.succeed(script.id()).passed()).isTrue();
        assertThat(script.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(script.run().publishedSnapshotId()).isEqualTo(300);
        assertThat(script.attempt().state()).isEqualTo(AttemptState.PUBLISHED);
        assertThat(script.detail().dispatches())
                .extracting(Dispatch::kind)
                .containsExactly(
                        Dispatch.Kind.VALIDATE_RUN,
                        Dispatch.Kind.PUBLISH_RUN,
                        Dispatch.Kind.CONFIRM_RUN);
        assertReplays(script);
    }

    @Test
    void aDifferentReadBackDoesNotSucceed() {
        LedgerScript script = created().published(1);
        script.start("reader");
        List<Measure> measures = new ArrayList<>(script.measures());
        measures.set(0, new Measure(MetricName.ROW_COUNT, "9"));

        assertThat(ledger.recordMetrics(script.id(), Stage.TARGET, measures).passed())
                .isFalse();
        assertThat(ledger.succeed(script.id()).passed()).isFalse();
        ledger.failRun(
                script.id(),
                RunState.PUBLISHED,
                RunState.FAILED_TARGET_VALIDATION,
                new Failure("TARGET", "VALIDATION_FAILED", "differs"));
        assertThat(script.run().state()).isEqualTo(RunState.FAILED_TARGET_VALIDATION);
        assertReplays(script);
    }

    @Test
    void attemptsOfATargetGoOneAfterTheOther() {
        String target = "shared." + job();
        LedgerScript first = on(target).publishing(1);
        LedgerScript second = on(target).audited(1);
        second.start("publisher");

        assertThat(second.attempt().epoch()).isEqualTo(first.attempt().epoch() + 1);
        refused(ErrorCode.TARGET_BUSY, () -> ledger.claimPublish(second.attempt()));
        ledger.publishResult(first.attempt(), PublishOutcome.UNKNOWN, null, "no reply");
        refused(ErrorCode.TARGET_BUSY, () -> ledger.claimPublish(second.attempt()));
        ledger.publishResult(first.attempt(), PublishOutcome.FAILED, null, "not there");
        ledger.claimPublish(second.attempt());
        assertThat(second.run().state()).isEqualTo(RunState.PUBLISHING);
        assertThat(first.run().state()).isEqualTo(RunState.FAILED_PUBLISH);
        assertReplays(first);
        assertReplays(second);
    }

    @Test
    void anOlderRunIsNotPublishedOverANewerOne() {
        String target = "shared." + job();
        LedgerScript older = on(target).audited(1);
        LedgerScript newer = on(target).published(1);
        older.start("publisher");

        refused(ErrorCode.TABLE_MOVED, () -> ledger.claimPublish(older.attempt()));
        assertThat(older.run().state()).isEqualTo(RunState.STAGING_VALIDATED);
        assertThat(older.attempt().state()).isEqualTo(AttemptState.STAGED);
        assertThat(on(target).published(1).run().state()).isEqualTo(RunState.PUBLISHED);
        assertReplays(older);
        assertReplays(newer);
    }

    @Test
    void anUnknownOutcomeIsResolvedByEvidence() {
        LedgerScript script = created().publishing(1);
        PublishAttempt attempt = script.attempt();
        ledger.publishResult(attempt, PublishOutcome.UNKNOWN, null, "no reply");

        assertThat(script.run().state()).isEqualTo(RunState.PUBLISH_UNKNOWN);
        assertThat(script.dispatch().kind()).isEqualTo(Dispatch.Kind.RESOLVE_RUN);
        assertThat(script.start("resolver")).isTrue();
        ledger.publishResult(attempt, PublishOutcome.ABSENT, null, "fenced, not there");
        assertThat(script.run().state()).isEqualTo(RunState.STAGING_VALIDATED);
        assertThat(script.dispatch().cycle()).isEqualTo(2);
        refused(
                ErrorCode.RUN_STATE_MISMATCH,
                () -> ledger.publishResult(attempt, PublishOutcome.PUBLISHED, 300L, "late"));
        script.start("publisher 2");
        PublishAttempt again = script.stage(new UUID(3, 3));
        ledger.claimPublish(again);
        ledger.publishResult(again, PublishOutcome.PUBLISHED, 301L, "main is 301");
        script.confirm();

        assertThat(script.run().state()).isEqualTo(RunState.SUCCESS);
        assertReplays(script);
    }

    @Test
    void aMovedBaseTakesTheNextEpoch() {
        LedgerScript script = created().publishing(1);
        PublishAttempt moved = script.attempt();
        UUID token = new UUID(3, 1);
        PublishAttempt renewed = ledger.renewAttempt(moved, 101, token);

        assertThat(ledger.renewAttempt(moved, 101, token)).isEqualTo(renewed);
        assertThat(renewed.epoch()).isEqualTo(moved.epoch() + 1);
        assertThat(renewed.state()).isEqualTo(AttemptState.OPEN);
        refused(
                ErrorCode.PUBLISH_TOKEN_MISMATCH,
                () -> ledger.publishResult(
                        new PublishAttempt(
                                renewed.target(),
                                renewed.epoch(),
                                renewed.runId(),
                                moved.token(),
                                renewed.state(),
                                101,
                                null,
                                null),
                        PublishOutcome.FAILED,
                        null,
                        "a stranger"));
        ledger.recordStaged(renewed, 201);
        ledger.publishResult(renewed, PublishOutcome.PUBLISHED, 301L, "main is 301");
        assertThat(script.run().state()).isEqualTo(RunState.PUBLISHED);
        assertReplays(script);
    }

    @Test
    void onlyTheOwnerOfTheStepPublishes() {
        LedgerScript script = created().audited(1);

        refused(ErrorCode.RUN_STATE_MISMATCH, () -> ledger.claimPublish(script.attempt()));
        assertThat(script.run().state()).isEqualTo(RunState.STAGING_VALIDATED);
        assertThat(script.attempt().state()).isEqualTo(AttemptState.STAGED);
    }

    @Test
    void aLostStepIsAskedForAgain() {
        LedgerScript script = created().extracted(1);
        script.start("auditor");
        books().pass(LedgerScript.LEASE);
        sweep();

        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        assertThat(script.dispatch().cycle()).isEqualTo(2);
        assertThat(script.start("auditor 2")).isTrue();
        assertReplays(script);
    }

    @Test
    void aLostPublisherLeavesAnUnknownOutcome() {
        CreateRun request = request();
        LedgerScript script = new LedgerScript(ledger, request).publishing(1);
        books().pass(LedgerScript.LEASE);
        refused(
                ErrorCode.RUN_UNSETTLED,
                () -> ledger.createRun(LedgerScript.withKey(request, request.job() + " 2")));

        assertThat(script.run().state()).isEqualTo(RunState.PUBLISH_UNKNOWN);
        assertThat(script.attempt().state()).isEqualTo(AttemptState.UNKNOWN);
        assertThat(script.dispatch().kind()).isEqualTo(Dispatch.Kind.RESOLVE_RUN);
        ledger.publishResult(script.attempt(), PublishOutcome.PUBLISHED, 300L, "it was there");
        assertThat(script.run().state()).isEqualTo(RunState.PUBLISHED);
        assertReplays(script);
    }

    @Test
    void aDeadlineEndsOnlyWhatIsNotPublished() {
        LedgerScript waiting = created().extracted(1);
        LedgerScript published = created().published(1);
        books().pass(LedgerScript.TIMEOUT);
        sweep();

        assertThat(waiting.run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(waiting.dispatch().state()).isEqualTo(DispatchState.CANCELLED);
        assertThat(published.run().state()).isEqualTo(RunState.PUBLISHED);
        assertReplays(waiting);
        assertReplays(published);
    }

    @Test
    void aPersonCancelsWhatNobodySees() {
        LedgerScript script = created().extracting(2);
        script.claim(new UUID(9, 1));
        refused(
                ErrorCode.RUN_STATE_MISMATCH,
                () -> ledger.cancelRun(script.id(), RunState.CREATED, SOMEBODY));
        Run cancelled = ledger.cancelRun(script.id(), RunState.EXTRACTING, SOMEBODY);

        assertThat(cancelled.state()).isEqualTo(RunState.CANCELLED);
        assertThat(script.detail().partitions())
                .allMatch(partition -> partition.state() == PartitionState.TIMED_OUT);
        assertReplays(script);
        LedgerScript publishing = created().publishing(1);
        refused(
                ErrorCode.RUN_STATE_MISMATCH,
                () -> ledger.cancelRun(publishing.id(), RunState.PUBLISHING, SOMEBODY));
    }

    @Test
    void deliveriesAreBoundedAndAPersonSendsAgain() {
        LedgerScript script = created().extracted(1);
        int most = SETTINGS.dispatch().attemptsMax();
        for (int i = 0; i < most; i++) {
            Dispatch leased = lease(script).orElseThrow();
            ledger.settleDispatch(leased, Delivery.postponed("busy"));
            assertThat(script.dispatch().state())
                    .isEqualTo(i + 1 < most ? DispatchState.PENDING : DispatchState.DEAD);
            books().pass(SETTINGS.dispatch().backoffMax());
        }

        Dispatch sent = ledger.resendDispatch(script.id(), script.dispatch().id(), SOMEBODY);
        assertThat(sent.attempts()).isZero();
        assertThat(sent.state()).isEqualTo(DispatchState.PENDING);
        assertReplays(script);
    }

    @Test
    void deliveriesThatNobodySettledAreBoundedToo() {
        LedgerScript script = created().extracted(1);
        int most = SETTINGS.dispatch().attemptsMax();
        for (int i = 0; i < most; i++) {
            assertThat(lease(script)).isPresent();
            books().pass(SETTINGS.dispatchLease());
        }

        assertThat(lease(script)).isEmpty();
        assertThat(script.dispatch().state()).isEqualTo(DispatchState.DEAD);
        assertThat(script.dispatch().attempts()).isEqualTo(most);
        assertReplays(script);
    }

    @Test
    void aTakenStepThatNeverStartsIsSentAgain() {
        LedgerScript script = created().extracted(1);
        ledger.settleDispatch(lease(script).orElseThrow(), Delivery.ACCEPTED);
        assertThat(script.dispatch().state()).isEqualTo(DispatchState.SENT);
        books().pass(SETTINGS.dispatch().ackTimeout());
        ledger.heartbeatRun(script.id(), null);
        sweep();

        assertThat(script.dispatch().state()).isEqualTo(DispatchState.PENDING);
        assertReplays(script);
    }

    @Test
    void aStepIsKeptByItsOwnerAndByNobodyElse() {
        LedgerScript kept = created().extracted(1);
        LedgerScript left = created().extracted(1);
        kept.start("alive");
        left.start("dead");
        books().pass(LedgerScript.LEASE);
        ledger.heartbeatRun(kept.id(), "alive");
        ledger.heartbeatRun(left.id(), null);
        ledger.heartbeatRun(left.id(), "alive");
        sweep();

        assertThat(kept.run().owner()).isEqualTo("alive");
        assertThat(left.run().owner()).isNull();
        assertThat(left.dispatch().state()).isEqualTo(DispatchState.PENDING);
        assertReplays(left);
    }

    @Test
    void aCutIsPublishedWholeAndSucceedsAtOnce() {
        List<LedgerScript> cut = cut(2);
        LedgerScript first = cut.get(0).audited(1);
        assertThat(first.dispatch().kind()).isEqualTo(Dispatch.Kind.VALIDATE_RUN);
        LedgerScript second = cut.get(1).audited(1);
        for (LedgerScript script : cut) {
            assertThat(script.dispatch().kind()).isEqualTo(Dispatch.Kind.PUBLISH_RUN);
            script.start("publisher");
            ledger.claimPublish(script.attempt());
            ledger.publishResult(script.attempt(), PublishOutcome.PUBLISHED, 300L, "seen");
        }
        first.confirm();

        assertThat(first.run().state()).isEqualTo(RunState.PUBLISHED);
        assertThat(first.run().confirmedAt()).isNotNull();
        second.confirm();
        assertThat(first.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(second.run().state()).isEqualTo(RunState.SUCCESS);
        assertReplays(first);
        assertReplays(second);
    }

    @Test
    void aCutBreaksWithOneOfItsRuns() {
        List<LedgerScript> cut = cut(3);
        LedgerScript confirmed = cut.get(0).audited(1);
        LedgerScript waiting = cut.get(1).audited(1);
        LedgerScript cancelled = cut.get(2).audited(1);
        confirmed.start("publisher");
        ledger.claimPublish(confirmed.attempt());
        ledger.publishResult(confirmed.attempt(), PublishOutcome.PUBLISHED, 300L, "seen");
        confirmed.confirm();
        ledger.cancelRun(cancelled.id(), RunState.STAGING_VALIDATED, SOMEBODY);
        books().pass(SETTINGS.claimLease());
        sweep();

        assertThat(waiting.run().state()).isEqualTo(RunState.FAILED_PUBLISH);
        assertThat(confirmed.run().state()).isEqualTo(RunState.FAILED_TARGET_VALIDATION);
        assertThat(confirmed.run().failure()).extracting(Failure::code).isEqualTo("CUT_INCOMPLETE");
        cut.forEach(this::assertReplays);
    }

    @Test
    void whatARunLeftIsCleanedUpOnce() {
        LedgerScript done = created().published(1).confirm();
        LedgerScript open = created().publishing(1);
        books().pass(Duration.ofHours(2));

        List<Run> cleanable = ledger.cleanable(Duration.ofHours(1), Duration.ofHours(1), 10_000);
        assertThat(cleanable).extracting(Run::id).contains(done.id()).doesNotContain(open.id());
        assertThat(ledger.recordCleaned(done.id()).cleanedAt()).isNotNull();
        assertThat(ledger.cleanable(Duration.ofHours(1), Duration.ofHours(1), 10_000))
                .extracting(Run::id)
                .doesNotContain(done.id());
        refused(ErrorCode.RUN_STATE_MISMATCH, () -> ledger.recordCleaned(open.id()));
        assertReplays(done);
    }

    private LedgerScript on(String target) {
        return new LedgerScript(
                ledger, LedgerScript.request(job(), target, RecoveryMode.REISSUE, null));
    }

    private List<LedgerScript> cut(int tables) {
        String job = job();
        Cut own = new Cut(new UUID(job.hashCode(), tables), tables);
        List<LedgerScript> scripts = new ArrayList<>();
        for (int i = 0; i < tables; i++) {
            scripts.add(new LedgerScript(
                    ledger,
                    LedgerScript.request(
                            job, "sales." + job + "_" + i, RecoveryMode.REISSUE, own)));
        }
        return scripts;
    }
}
