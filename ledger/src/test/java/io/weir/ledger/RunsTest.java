package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Failure;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;

import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

class RunsTest {
    private static final Failure FAILURE = new Failure("EXTRACT", "INTERRUPTED", "asked to stop");

    private final Ledger ledger = TestBooks.ledger();

    @Test
    void createsARunThatWaitsForItsManifest() {
        CreateRun request = RunScript.request("created-" + UUID.randomUUID());

        Run run = ledger.createRun(request);

        assertThat(run.state()).isEqualTo(RunState.CREATED);
        assertThat(run.version()).isZero();
        assertThat(run.dataPath())
                .isEqualTo("file:///lake/" + request.job() + "/data/run=" + run.id());
        assertThat(run.leaseUntil()).isEqualTo(run.createdAt().plus(request.lease()));
        assertThat(run.deadline()).isEqualTo(run.createdAt().plus(request.timeout()));
        assertThat(run.recovery()).isEqualTo(request.recovery());
        assertThat(run.owner()).isNull();
        assertThat(ledger.detail(run.id()).run()).isEqualTo(run);
        assertThat(ledger.events(run.id())).extracting("name").containsExactly("RUN_CREATED");
    }

    @Test
    void answersTheSameRequestWithTheSameRun() {
        CreateRun request = RunScript.request("again-" + UUID.randomUUID());
        Run first = ledger.createRun(request);
        ledger.failRun(first.id(), RunState.CREATED, RunState.CANCELLED, FAILURE);

        Run second = ledger.createRun(request);

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.state()).isEqualTo(RunState.CANCELLED);
        assertThat(ledger.events(first.id())).hasSize(2);
    }

    @Test
    void refusesAnIdempotencyKeyWithAnotherRequest() {
        CreateRun request = RunScript.request("reuse-" + UUID.randomUUID());
        Run run = ledger.createRun(request);
        CreateRun other = withKey(RunScript.request("other"), request.idempotencyKey());

        assertCode(() -> ledger.createRun(other), ErrorCode.IDEMPOTENCY_KEY_REUSED)
                .isEqualTo("Cannot create a run of job other for business key 2026-11-29: the"
                        + " idempotency key belongs to another request (key="
                        + request.idempotencyKey() + ", run=" + run.id() + ", job="
                        + request.job() + ", business key=2026-11-29)");
    }

    @Test
    void refusesASecondRunWhileOneIsActive() {
        RunScript first = RunScript.extracting(1);
        CreateRun second = withKey(first.request, UUID.randomUUID().toString());

        assertCode(() -> ledger.createRun(second), ErrorCode.DUPLICATE_ACTIVE_RUN)
                .isEqualTo("Cannot create a run of job " + first.request.job()
                        + " for business key 2026-11-29: run " + first.id
                        + " is still active (state=EXTRACTING, lease until="
                        + first.run().leaseUntil() + ")");
        ledger.failRun(first.id, RunState.EXTRACTING, RunState.FAILED_EXTRACT, FAILURE);
        assertThat(ledger.createRun(second).state()).isEqualTo(RunState.CREATED);
    }

    @Test
    void closesAnAbandonedRunWithEverythingThatIsOpen() {
        RunScript abandoned = RunScript.extracting(3);
        abandoned.complete(abandoned.claim());
        abandoned.claim();
        TestBooks.endLease("run", "id", abandoned.id.value());

        Run next = ledger.createRun(withKey(abandoned.request, UUID.randomUUID().toString()));

        assertThat(next.id()).isNotEqualTo(abandoned.id);
        Run closed = abandoned.run();
        assertThat(closed.state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(closed.endedAt()).isNotNull();
        assertThat(closed.failure()).extracting("code").isEqualTo("LEASE_LOST");
        assertThat(ledger.detail(abandoned.id).partitions())
                .extracting("state")
                .containsExactly(
                        PartitionState.SUCCESS, PartitionState.TIMED_OUT, PartitionState.TIMED_OUT);
    }

    @Test
    void keepsARunWhoseNextStepSomebodyIsCalledFor() {
        RunScript audited = RunScript.validated(1);
        TestBooks.endLease("run", "id", audited.id.value());
        CreateRun next = withKey(audited.request, UUID.randomUUID().toString());

        assertCode(() -> ledger.createRun(next), ErrorCode.RUN_UNSETTLED)
                .isEqualTo("Cannot create a run of job " + audited.request.job()
                        + " for business key 2026-11-29: run " + audited.id
                        + " was left unfinished (state=STAGING_VALIDATED)");

        assertThat(audited.run().state()).isEqualTo(RunState.STAGING_VALIDATED);
        assertThat(audited.attempt().state()).isEqualTo(AttemptState.STAGED);
        assertThat(audited.outbox())
                .containsExactly("VALIDATE_RUN 1 ACKED", "PUBLISH_RUN 1 PENDING");
    }

    @Test
    void closesTheStagedAttemptOfARunThatEnds() {
        RunScript script = RunScript.validated(1);

        ledger.failRun(script.id, RunState.STAGING_VALIDATED, RunState.FAILED_PUBLISH, FAILURE);

        PublishAttempt attempt = script.attempt();
        assertThat(attempt.state()).isEqualTo(AttemptState.FAILED);
        assertThat(attempt.evidence()).isEqualTo("never opened: the run ended as FAILED_PUBLISH");
    }

    @Test
    void keepsAnAbandonedPublishInDoubtUntilItIsSettled() {
        RunScript abandoned = RunScript.toPublish(1);
        PublishAttempt attempt = ledger.claimPublish(abandoned.attempt());
        TestBooks.endLease("run", "id", abandoned.id.value());
        CreateRun next = withKey(abandoned.request, UUID.randomUUID().toString());

        for (int i = 0; i < 2; i++) {
            assertCode(() -> ledger.createRun(next), ErrorCode.RUN_UNSETTLED)
                    .contains(
                            "run " + abandoned.id + " was left unfinished (state=PUBLISH_UNKNOWN)");
        }
        assertThat(abandoned.attempt().state()).isEqualTo(AttemptState.UNKNOWN);

        // The owner was only slow: its result still counts.
        Run settled = ledger.publishResult(attempt, PublishOutcome.PUBLISHED, 300L, "seen");
        assertThat(settled.state()).isEqualTo(RunState.PUBLISHED);
        assertThat(settled.failure()).isNull();
    }

    @Test
    void neverClosesAPublishedRunByTime() {
        RunScript published = RunScript.validated(1).publish();
        CreateRun next = withKey(published.request, UUID.randomUUID().toString());
        assertCode(() -> ledger.createRun(next), ErrorCode.DUPLICATE_ACTIVE_RUN).isNotEmpty();

        TestBooks.endLease("run", "id", published.id.value());

        assertCode(() -> ledger.createRun(next), ErrorCode.RUN_UNSETTLED)
                .contains("(state=PUBLISHED)");
        assertThat(published.run().state()).isEqualTo(RunState.PUBLISHED);
    }

    @Test
    void letsNobodyTakeTheKeyOfALivingRun() {
        RunScript script = RunScript.created();
        TestBooks.endLease("run", "id", script.id.value());

        Run alive = ledger.heartbeatRun(script.id, null);

        assertThat(alive.leaseUntil()).isAfter(alive.createdAt().plus(script.request.lease()));
        assertThat(alive.version()).isZero();
        assertThat(ledger.events(script.id)).hasSize(1);
        CreateRun next = withKey(script.request, UUID.randomUUID().toString());
        assertCode(() -> ledger.createRun(next), ErrorCode.DUPLICATE_ACTIVE_RUN).isNotEmpty();
    }

    @Test
    void createsOneRunHoweverManyAskAtOnce() throws Exception {
        String job = "race-" + UUID.randomUUID();
        List<Callable<String>> calls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            CreateRun request =
                    withKey(RunScript.request(job), UUID.randomUUID().toString());
            calls.add(() -> outcome(() -> ledger.createRun(request)));
        }

        List<String> outcomes = AtOnce.call(calls);

        assertThat(outcomes).filteredOn("done"::equals).hasSize(1);
        assertThat(outcomes).filteredOn("DUPLICATE_ACTIVE_RUN"::equals).hasSize(7);
    }

    @Test
    void answersOneRequestSentManyTimesAtOnceWithOneRun() throws Exception {
        CreateRun request = RunScript.request("same-" + UUID.randomUUID());
        List<Callable<RunId>> calls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            calls.add(() -> ledger.createRun(request).id());
        }

        assertThat(AtOnce.call(calls).stream().distinct()).hasSize(1);
    }

    @Test
    void endsARunOnceAndOnlyFromTheExpectedState() {
        RunScript script = RunScript.extracting(2);
        script.claim();

        Run failed =
                ledger.failRun(script.id, RunState.EXTRACTING, RunState.FAILED_EXTRACT, FAILURE);
        Run again =
                ledger.failRun(script.id, RunState.EXTRACTING, RunState.FAILED_EXTRACT, FAILURE);

        assertThat(failed.state()).isEqualTo(RunState.FAILED_EXTRACT);
        assertThat(failed.failure()).isEqualTo(FAILURE);
        assertThat(again).isEqualTo(failed);
        assertThat(ledger.detail(script.id).partitions())
                .extracting("state")
                .containsOnly(PartitionState.TIMED_OUT);
        assertCode(
                        () -> ledger.failRun(
                                script.id, RunState.EXTRACTING, RunState.CANCELLED, FAILURE),
                        ErrorCode.RUN_STATE_MISMATCH)
                .contains("(state=FAILED_EXTRACT, needed=EXTRACTING)");
    }

    @Test
    void doesNotEndAPublishWithoutEvidence() {
        RunScript script = RunScript.toPublish(1);
        ledger.claimPublish(script.attempt());

        assertCode(
                        () -> ledger.failRun(
                                script.id, RunState.PUBLISHING, RunState.FAILED_PUBLISH, FAILURE),
                        ErrorCode.RUN_STATE_MISMATCH)
                .endsWith("that state cannot follow (state=PUBLISHING, possible=[])");
    }

    @Test
    void listsRunsNewestFirst() {
        String job = "list-" + UUID.randomUUID();
        Run first = ledger.createRun(RunScript.request(job));
        ledger.failRun(first.id(), RunState.CREATED, RunState.CANCELLED, FAILURE);
        Run second = ledger.createRun(RunScript.request(job));

        assertThat(ledger.runs(new RunFilter(job, false, 10)))
                .extracting(Run::id)
                .containsExactly(second.id(), first.id());
        assertThat(ledger.runs(new RunFilter(job, true, 10)))
                .extracting(Run::id)
                .containsExactly(second.id());
        assertThat(ledger.runs(new RunFilter(job, false, 1))).hasSize(1);
        assertThat(ledger.runs(new RunFilter(null, false, 1))).hasSize(1);
    }

    @Test
    void saysWhichRunDoesNotExist() {
        RunId nobody = new RunId(UUID.randomUUID());

        String message = "Cannot find run " + nobody + ": the ledger has no such run";
        assertCode(() -> ledger.detail(nobody), ErrorCode.RUN_NOT_FOUND).isEqualTo(message);
        assertCode(() -> ledger.heartbeatRun(nobody, null), ErrorCode.RUN_NOT_FOUND)
                .isEqualTo(message);
        assertCode(() -> ledger.events(nobody), ErrorCode.RUN_NOT_FOUND).isEqualTo(message);
        assertCode(() -> ledger.claimNext(nobody, UUID.randomUUID(), "w"), ErrorCode.RUN_NOT_FOUND)
                .isEqualTo(message);
    }

    static CreateRun withKey(CreateRun request, String key) {
        return new CreateRun(
                key,
                request.job(),
                request.businessKey(),
                request.source(),
                request.sourceTable(),
                request.target(),
                request.publishMode(),
                request.dataRoot(),
                request.allowEmpty(),
                request.lease(),
                request.timeout(),
                request.recovery(),
                request.cut());
    }

    static AbstractStringAssert<?> assertCode(ThrowingCallable call, ErrorCode code) {
        Throwable[] thrown = new Throwable[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(WeirException.class, e -> {
            assertThat(e.code()).as(e.text()).isEqualTo(code);
            thrown[0] = e;
        });
        return assertThat(String.valueOf(thrown[0].getMessage()));
    }

    static String outcome(Callable<?> call) throws Exception {
        try {
            call.call();
            return "done";
        } catch (WeirException e) {
            return e.code().name();
        }
    }
}
