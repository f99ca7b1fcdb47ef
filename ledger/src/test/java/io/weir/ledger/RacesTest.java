package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

/**
 * Goal: whoever comes first, nothing is torn, lost or a fault of ours. Method: calls that contend
 * for one run begin in the same moment; afterwards rules that hold in every state are asked of the
 * tables.
 */
class RacesTest {
    private static final OwnBooks BOOKS = OwnBooks.open();
    private static final int TIMES = 8;
    private static final Operator KIM = new Operator("kim", "not needed");
    private static final Failure FAILURE = new Failure("TARGET", "X", "x");

    /** Each row that comes back breaks a rule; its text says which. */
    private static final String BROKEN = """
            select 'open dispatch of an ended run ' || r.id
            from weir.run r join weir.dispatch d on d.run_id = r.id
            where r.ended_at is not null and d.state in ('PENDING', 'SENT')
            union all
            select 'open partition of an ended run ' || r.id
            from weir.run r join weir.partition p on p.run_id = r.id
            where r.ended_at is not null and p.state in ('PENDING', 'RUNNING', 'RETRY')
            union all
            select 'open attempt of an ended run ' || r.id
            from weir.run r join weir.publish_attempt a on a.run_id = r.id
            where r.ended_at is not null and a.state in ('STAGED', 'OPEN', 'UNKNOWN')
            union all
            select 'owner of an ended run ' || id
            from weir.run where ended_at is not null and owner is not null
            union all
            select 'somebody is called for a step that is done ' || r.id
            from weir.run r join weir.dispatch d on d.run_id = r.id
            where r.owner is not null and d.state in ('PENDING', 'SENT')
            union all
            select 'nobody is called for the step of run ' || r.id
            from weir.run r
            where r.owner is null
              and (r.state in ('EXTRACTED_VALIDATED', 'PUBLISH_UNKNOWN')
                or (r.state = 'PUBLISHED' and r.confirmed_at is null)
                or (r.state = 'STAGING_VALIDATED' and r.cut_id is null))
              and not exists (
                select from weir.dispatch d
                where d.run_id = r.id and d.state in ('PENDING', 'SENT', 'DEAD')
                  and d.kind = case r.state
                    when 'EXTRACTED_VALIDATED' then 'VALIDATE_RUN'
                    when 'STAGING_VALIDATED' then 'PUBLISH_RUN'
                    when 'PUBLISH_UNKNOWN' then 'RESOLVE_RUN'
                    else 'CONFIRM_RUN' end)
            union all
            select 'no attempt in the state of run ' || r.id
            from weir.run r
            where r.state in ('PUBLISHING', 'PUBLISH_UNKNOWN')
              and not exists (
                select from weir.publish_attempt a
                where a.run_id = r.id
                  and a.state = case r.state when 'PUBLISHING' then 'OPEN' else 'UNKNOWN' end)
            union all
            select 'half of a cut succeeded: run ' || r.id
            from weir.run r join weir.run other on other.cut_id = r.cut_id
            where r.state = 'SUCCESS' and other.state <> 'SUCCESS'
            """;

    private final BookLedger ledger = BOOKS.ledger;

    @AfterAll
    static void close() {
        BOOKS.close();
    }

    @AfterEach
    void nothingIsBroken() {
        assertThat(BOOKS.texts(BROKEN)).isEmpty();
    }

    @RepeatedTest(TIMES)
    void theVerdictAndTheEndOfTheLease() throws Exception {
        RunScript script = BOOKS.validating();
        script.measure();
        BOOKS.endLease(script);

        atOnce(
                () -> ledger.stageValidated(script.id),
                this::sweep,
                () -> ledger.cancelRun(script.id, RunState.STAGE_VALIDATING, KIM));

        assertThat(script.run().state())
                .isIn(RunState.STAGING_VALIDATED, RunState.EXTRACTED_VALIDATED, RunState.CANCELLED);
    }

    @RepeatedTest(TIMES)
    void theStartOfAStepItsDeliveryAndTheEndOfTheRun() throws Exception {
        RunScript script = BOOKS.extracted();
        Dispatch leased = ledger.leaseDispatches(100).stream()
                .filter(dispatch -> dispatch.runId().equals(script.id))
                .findFirst()
                .orElseThrow();
        BOOKS.endTime(script);

        atOnce(
                () -> ledger.startStep(script.id, leased.id(), "w1"),
                () -> ledger.startStep(script.id, leased.id(), "w2"),
                () -> settle(leased, Delivery.refused("no")),
                this::sweep,
                () -> ledger.cancelRun(script.id, RunState.EXTRACTED_VALIDATED, KIM));
    }

    @RepeatedTest(TIMES)
    void theClaimToPublishAndTheEndOfTheLease() throws Exception {
        RunScript script = BOOKS.validated().start(Kind.PUBLISH_RUN);
        PublishAttempt attempt = script.attempt();
        BOOKS.endLease(script);

        List<String> outcomes = atOnce(
                () -> ledger.claimPublish(attempt),
                this::sweep,
                () -> ledger.cancelRun(script.id, RunState.STAGING_VALIDATED, KIM),
                () -> ledger.openAttempt(script.id, 100, UUID.randomUUID()));

        boolean published = script.run().state() == RunState.PUBLISHING
                || script.run().state() == RunState.PUBLISH_UNKNOWN;
        assertThat(outcomes.get(0).equals("done")).isEqualTo(published);
    }

    @RepeatedTest(TIMES)
    void theResultOfASlowPublisherAndItsResolver() throws Exception {
        RunScript script = BOOKS.validated().start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(script.attempt());
        BOOKS.endLease(script);

        List<String> outcomes = atOnce(
                () -> ledger.publishResult(open, PublishOutcome.PUBLISHED, 300L, "seen"),
                this::sweep,
                () -> ledger.publishResult(open, PublishOutcome.UNKNOWN, null, "no reply"),
                () -> ledger.renewAttempt(open, 101, UUID.randomUUID()));

        boolean published = outcomes.get(0).equals("done");
        assertThat(script.run().state() == RunState.PUBLISHED).isEqualTo(published);
    }

    @RepeatedTest(TIMES)
    void twoWhoSettleOneDoubtDifferently() throws Exception {
        RunScript script = BOOKS.validated().start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(script.attempt());
        ledger.publishResult(open, PublishOutcome.UNKNOWN, null, "no reply");
        UUID resolve = script.open(Kind.RESOLVE_RUN).id();

        List<String> outcomes = atOnce(
                () -> ledger.publishResult(open, PublishOutcome.PUBLISHED, 300L, "seen"),
                () -> ledger.publishResult(open, PublishOutcome.ABSENT, null, "absent"),
                () -> ledger.startStep(script.id, resolve, "w1"),
                this::sweep);

        assertThat(outcomes.subList(0, 2)).containsExactlyInAnyOrder("done", "RUN_STATE_MISMATCH");
        assertThat(script.run().state())
                .isEqualTo(
                        outcomes.get(0).equals("done")
                                ? RunState.PUBLISHED
                                : RunState.STAGING_VALIDATED);
    }

    @RepeatedTest(TIMES)
    void theReadBackItsFailureAndTheEndOfTheLease() throws Exception {
        RunScript script = BOOKS.validated().publish().start(Kind.CONFIRM_RUN);
        ledger.recordMetrics(script.id, Stage.TARGET, script.measures());
        BOOKS.endLease(script);

        atOnce(
                () -> ledger.succeed(script.id),
                this::sweep,
                () -> ledger.failRun(
                        script.id, RunState.PUBLISHED, RunState.FAILED_TARGET_VALIDATION, FAILURE));

        assertThat(script.run().state()).isIn(RunState.SUCCESS, RunState.FAILED_TARGET_VALIDATION);
    }

    @RepeatedTest(TIMES)
    void theLastReportOfALostWorkerAndItsSuccessor() throws Exception {
        RunScript script = BOOKS.created().register(1).hold();
        WorkOrder order = script.claim();
        BOOKS.endClaims(script);

        List<String> outcomes = atOnce(
                () -> script.complete(order),
                this::sweep,
                () -> ledger.claim(script.id, PartitionId.ofIndex(0), UUID.randomUUID(), "w2"),
                () -> ledger.failPartition(order.claim(), FAILURE));

        assertThat(outcomes.get(1)).isEqualTo("done");
        assertThat(script.run().state())
                .isIn(RunState.EXTRACTED_VALIDATED, RunState.EXTRACTING, RunState.FAILED_EXTRACT);
    }

    @RepeatedTest(TIMES)
    void aSuccessorOfTheRunAndTheSignOfItsCoordinator() throws Exception {
        RunScript script = BOOKS.created().register(2).hold();
        script.claim();
        BOOKS.endLease(script);
        CreateRun next = RunsTest.withKey(script.request, UUID.randomUUID().toString());

        List<String> outcomes = atOnce(
                () -> ledger.createRun(next),
                this::sweep,
                () -> ledger.heartbeatRun(script.id, null));

        boolean ended = script.run().state() == RunState.TIMED_OUT;
        assertThat(outcomes.get(0)).isIn("done", "DUPLICATE_ACTIVE_RUN");
        assertThat(ended || outcomes.get(0).equals("DUPLICATE_ACTIVE_RUN")).isTrue();
    }

    @RepeatedTest(TIMES)
    void theGateOfACutAndTheEndOfOneOfItsRuns() throws Exception {
        List<RunScript> cut = BOOKS.cut(3);
        cut.forEach(script -> script.register(1).extract().start(Kind.VALIDATE_RUN));
        cut.get(0).pass();
        cut.get(1).measure();
        cut.get(2).measure();

        atOnce(
                () -> ledger.stageValidated(cut.get(2).id),
                () -> ledger.stageValidated(cut.get(1).id),
                () -> ledger.cancelRun(cut.get(0).id, RunState.STAGING_VALIDATED, KIM),
                this::sweep);
        BOOKS.endSweeper();
        BOOKS.ledger.sweep();

        assertThat(cut.stream().map(script -> script.run().state()))
                .containsExactly(
                        RunState.CANCELLED, RunState.FAILED_PUBLISH, RunState.FAILED_PUBLISH);
    }

    @RepeatedTest(TIMES)
    void theEndOfACutAndADoubtInIt() throws Exception {
        List<RunScript> cut = BOOKS.cut(2);
        cut.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());
        RunScript first = cut.get(0).publish().start(Kind.CONFIRM_RUN);
        ledger.recordMetrics(first.id, Stage.TARGET, first.measures());
        RunScript second = cut.get(1).start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(second.attempt());

        atOnce(
                () -> ledger.succeed(first.id),
                () -> ledger.publishResult(open, PublishOutcome.FAILED, null, "absent"),
                this::sweep,
                this::sweep);
        BOOKS.endSweeper();
        BOOKS.ledger.sweep();

        assertThat(first.run().state()).isEqualTo(RunState.FAILED_TARGET_VALIDATION);
        assertThat(second.run().state()).isEqualTo(RunState.FAILED_PUBLISH);
    }

    private Object settle(Dispatch leased, Delivery delivery) {
        ledger.settleDispatch(leased, delivery);
        return delivery;
    }

    private Object sweep() {
        BOOKS.endSweeper();
        return BOOKS.process(OwnBooks.SETTINGS).sweep();
    }

    /** How each call ended; none may end with a fault of ours, whoever won. */
    private static List<String> atOnce(Callable<?>... calls) throws Exception {
        List<Callable<String>> outcomes = new ArrayList<>();
        for (Callable<?> call : calls) {
            outcomes.add(() -> RunsTest.outcome(call));
        }
        List<String> ended = AtOnce.call(outcomes);
        assertThat(ended).noneMatch(outcome -> outcome.startsWith("LEDGER_"));
        return ended;
    }
}
