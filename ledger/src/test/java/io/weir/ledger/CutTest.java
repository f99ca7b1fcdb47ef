package io.weir.ledger;

import static io.weir.ledger.RunsTest.assertCode;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Judgement;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Cut;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.Failure;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.UUID;

/** Tables of one cut: none is published before all are audited, none succeeds before all. */
class CutTest {
    private static final OwnBooks BOOKS = OwnBooks.open();
    private static final Failure FAILURE = new Failure("EXTRACT", "SOURCE_LOCKED", "locked");

    private final BookLedger ledger = BOOKS.ledger;

    @AfterAll
    static void close() {
        BOOKS.close();
    }

    @Test
    void nothingIsPublishedBeforeAllAreAuditedThenEachOnce() {
        List<RunScript> cut = BOOKS.cut(3);
        cut.forEach(script -> script.register(1).extract().start(Kind.VALIDATE_RUN));
        cut.get(2).pass();
        cut.get(0).pass();
        for (RunScript script : cut) {
            assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 ACKED");
            assertThat(BOOKS.sweep(script)).isEmpty();
        }

        cut.get(1).pass();

        for (RunScript script : cut) {
            assertThat(script.outbox())
                    .containsExactly("VALIDATE_RUN 1 ACKED", "PUBLISH_RUN 1 PENDING");
            assertThat(BOOKS.sweep(script)).isEmpty();
        }
        assertThat(ledger.detail(cut.get(0).id).cut())
                .extracting(Run::id)
                .containsExactly(cut.get(0).id, cut.get(1).id, cut.get(2).id);
    }

    @Test
    void nobodyClaimsToPublishBeforeTheGateIsOpen() {
        List<RunScript> cut = BOOKS.cut(2);
        cut.get(0).register(1).extract().start(Kind.VALIDATE_RUN).pass();
        PublishAttempt attempt = cut.get(0).attempt();

        assertCode(() -> ledger.claimPublish(attempt), ErrorCode.RUN_STATE_MISMATCH)
                .isEqualTo("Cannot publish run " + cut.get(0).id
                        + ": nobody was called to (state=STAGING_VALIDATED, owner=null)");

        assertThat(cut.get(0).run().state()).isEqualTo(RunState.STAGING_VALIDATED);
    }

    @RepeatedTest(20)
    void theLastTwoAuditsAtOnceOpenTheGateOnce() throws Exception {
        List<RunScript> cut = BOOKS.cut(3);
        cut.forEach(script -> script.register(1).extract().start(Kind.VALIDATE_RUN));
        cut.get(1).pass();
        cut.get(0).measure();
        cut.get(2).measure();

        List<Judgement> judgements = AtOnce.call(List.of(
                () -> ledger.stageValidated(cut.get(2).id),
                () -> ledger.stageValidated(cut.get(0).id)));

        assertThat(judgements).extracting(Judgement::passed).containsExactly(true, true);
        for (RunScript script : cut) {
            assertThat(script.outbox())
                    .containsExactly("VALIDATE_RUN 1 ACKED", "PUBLISH_RUN 1 PENDING");
        }
    }

    @Test
    void aRunThatFailsBeforeBreaksTheOthersAtTheNextSweep() {
        List<RunScript> cut = BOOKS.cut(5);
        cut.get(1).register(1).hold();
        cut.get(2).register(1).extract();
        cut.get(3).register(1).extract().start(Kind.VALIDATE_RUN);
        cut.get(4).register(1).extract().start(Kind.VALIDATE_RUN).pass();
        RunScript other = BOOKS.extracted();
        ledger.failRun(cut.get(0).id, RunState.CREATED, RunState.FAILED_MANIFEST, FAILURE);

        BOOKS.ledger.sweep();

        assertThat(cut.stream().map(script -> script.run().state()))
                .containsExactly(
                        RunState.FAILED_MANIFEST,
                        RunState.FAILED_EXTRACT,
                        RunState.FAILED_EXTRACT,
                        RunState.FAILED_STAGE_VALIDATION,
                        RunState.FAILED_PUBLISH);
        assertThat(cut.get(4).run().failure())
                .isEqualTo(new Failure(
                        "STAGING_VALIDATED",
                        "CUT_BROKEN",
                        "run " + cut.get(0).id + " of the same cut ended as FAILED_MANIFEST"
                                + " (target=" + cut.get(0).request.target() + ")"));
        assertThat(other.run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);
    }

    @Test
    void allSucceedTogetherWhenTheLastIsReadBack() {
        List<RunScript> cut = published(3);

        assertThat(cut.get(1).confirm())
                .isEqualTo(new Judgement(true, RunState.PUBLISHED, List.of(), List.of()));
        assertThat(cut.get(0).confirm().runState()).isEqualTo(RunState.PUBLISHED);
        assertThat(ledger.succeed(cut.get(0).id).passed()).isTrue();
        BOOKS.endLease(cut.get(0));
        assertThat(BOOKS.sweep(cut.get(0))).isEmpty();
        assertThat(cut.stream().map(script -> script.run().state()))
                .containsOnly(RunState.PUBLISHED);
        assertThat(cut.get(0).run().confirmedAt()).isNotNull();
        assertThat(cut.get(0).run().owner()).isNull();

        assertThat(cut.get(2).confirm().runState()).isEqualTo(RunState.SUCCESS);

        for (RunScript script : cut) {
            assertThat(script.run().state()).isEqualTo(RunState.SUCCESS);
            assertThat(script.run().endedAt()).isEqualTo(cut.get(2).run().endedAt());
            assertThat(script.run().owner()).isNull();
            assertThat(script.outbox()).endsWith("CONFIRM_RUN 1 ACKED").hasSize(3);
        }
    }

    @RepeatedTest(20)
    void theLastTwoReadBacksAtOnceEndAllOnce() throws Exception {
        List<RunScript> cut = published(2);
        for (RunScript script : cut) {
            script.start(Kind.CONFIRM_RUN);
            ledger.recordMetrics(script.id, Stage.TARGET, script.measures());
        }

        List<RunState> states = AtOnce.call(List.of(
                () -> ledger.succeed(cut.get(1).id).runState(),
                () -> ledger.succeed(cut.get(0).id).runState()));

        assertThat(states).containsExactlyInAnyOrder(RunState.PUBLISHED, RunState.SUCCESS);
        for (RunScript script : cut) {
            assertThat(script.run().state()).isEqualTo(RunState.SUCCESS);
            assertThat(ledger.events(script.id))
                    .filteredOn(event -> event.name().equals("RUN_SUCCEEDED"))
                    .hasSize(1);
        }
    }

    @Test
    void theOthersWaitForARunWhoseOwnerDiedAndItGoesOn() {
        List<RunScript> cut = BOOKS.cut(2);
        cut.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());
        RunScript first = cut.get(0).publish();
        first.confirm();
        RunScript second = cut.get(1).start(Kind.PUBLISH_RUN);
        BOOKS.endLease(second);
        BOOKS.endLease(first);

        assertThat(OwnBooks.rules(BOOKS.ledger.sweep(), second)).containsExactly("lease_lost");

        assertThat(first.run().state()).isEqualTo(RunState.PUBLISHED);
        assertThat(second.outbox()).endsWith("PUBLISH_RUN 1 ACKED", "PUBLISH_RUN 2 PENDING");
        second.publish();
        assertThat(second.confirm().runState()).isEqualTo(RunState.SUCCESS);
        assertThat(first.run().state()).isEqualTo(RunState.SUCCESS);
    }

    @Test
    void aRunPublishedWithoutItsCutIsNoSuccess() {
        List<RunScript> cut = BOOKS.cut(2);
        cut.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());
        RunScript published = cut.get(0).publish();
        RunScript failed = cut.get(1).start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(failed.attempt());
        Run lost = ledger.publishResult(open, PublishOutcome.FAILED, null, "schema changed");
        assertThat(lost.state()).isEqualTo(RunState.FAILED_PUBLISH);

        // First it is known that readers see what was audited, then it is said what is missing.
        assertThat(BOOKS.sweep(published)).isEmpty();
        assertThat(published.confirm().runState()).isEqualTo(RunState.PUBLISHED);
        assertThat(BOOKS.sweep(published)).containsExactly("cut_broken");

        Run run = published.run();
        assertThat(run.state()).isEqualTo(RunState.FAILED_TARGET_VALIDATION);
        assertThat(run.confirmedAt()).isNotNull();
        assertThat(run.failure())
                .isEqualTo(new Failure(
                        "PUBLISHED",
                        "CUT_INCOMPLETE",
                        "run " + failed.id + " of the same cut ended as FAILED_PUBLISH (target="
                                + failed.request.target() + ")"));
    }

    @Test
    void aDoubtIsSettledBeforeItsRunBreaksWithTheCut() {
        List<RunScript> cut = BOOKS.cut(2);
        cut.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());
        RunScript doubtful = cut.get(0).start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(doubtful.attempt());
        ledger.publishResult(open, PublishOutcome.UNKNOWN, null, "no reply");
        ledger.failRun(cut.get(1).id, RunState.STAGING_VALIDATED, RunState.FAILED_PUBLISH, FAILURE);
        assertThat(BOOKS.sweep(doubtful)).isEmpty();

        doubtful.start(Kind.RESOLVE_RUN);
        ledger.publishResult(open, PublishOutcome.ABSENT, null, "not on main");

        // It must not be published alone now.
        assertThat(doubtful.outbox()).endsWith("RESOLVE_RUN 1 ACKED");
        assertThat(BOOKS.sweep(doubtful)).containsExactly("cut_broken");
        assertThat(doubtful.run().state()).isEqualTo(RunState.FAILED_PUBLISH);
    }

    // F43
    @Test
    void nothingIsPublishedIfANewerRunWasPublishedToOneOfTheTargets() {
        List<RunScript> cut = BOOKS.cut(2);
        cut.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());
        RunScript newer = newerThan(cut.get(1));

        RunScript first = cut.get(0).start(Kind.PUBLISH_RUN);
        assertCode(() -> ledger.claimPublish(first.attempt()), ErrorCode.TABLE_MOVED)
                .startsWith("Cannot publish run " + first.id + ": run " + newer.id
                        + ", which is newer, was published to " + newer.request.target()
                        + " before it (created=");
        assertThat(first.run().state()).isEqualTo(RunState.STAGING_VALIDATED);
    }

    // F43
    @Test
    void theRestOfACutIsPublishedAfterwardsUnlessANewerRunWas() {
        List<RunScript> cut = BOOKS.cut(3);
        cut.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());
        cut.get(0).publish();
        assertThat(newerThan(cut.get(1)).run().state()).isEqualTo(RunState.PUBLISHED);

        RunScript late = cut.get(1).start(Kind.PUBLISH_RUN);
        assertCode(() -> ledger.claimPublish(late.attempt()), ErrorCode.TABLE_MOVED)
                .isNotEmpty();
        assertThat(cut.get(2).publish().run().state()).isEqualTo(RunState.PUBLISHED);
    }

    @Test
    void aCutWithoutAllItsRunsIsNotPublished() {
        Cut three = new Cut(UUID.randomUUID(), 3);
        List<RunScript> two = List.of(member(three), member(three));
        two.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());

        for (RunScript script : two) {
            assertThat(script.outbox()).containsExactly("VALIDATE_RUN 1 ACKED");
            BOOKS.endTime(script);
        }
        BOOKS.ledger.sweep();
        assertThat(two.stream().map(script -> script.run().state()))
                .containsOnly(RunState.TIMED_OUT);
    }

    @Test
    void tablesOfACutHaveTheBusinessKeyInCommonAndATargetEach() {
        RunScript first = BOOKS.cut(1).get(0);
        CreateRun same = RunsTest.withKey(first.request, UUID.randomUUID().toString());

        assertCode(() -> ledger.createRun(same), ErrorCode.DUPLICATE_ACTIVE_RUN).isNotEmpty();
    }

    /** A run of another job that was published to the target of a run. */
    private RunScript newerThan(RunScript script) {
        CreateRun request = script.request;
        CreateRun other = new CreateRun(
                UUID.randomUUID().toString(),
                "job-" + UUID.randomUUID(),
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
                null);
        return RunScript.created(ledger, other)
                .register(1)
                .extract()
                .start(Kind.VALIDATE_RUN)
                .pass()
                .publish();
    }

    private RunScript member(Cut cut) {
        return RunScript.created(
                ledger, RunScript.request("job-" + cut.id(), RecoveryMode.REISSUE, cut));
    }

    private static List<RunScript> published(int tables) {
        List<RunScript> cut = BOOKS.cut(tables);
        cut.forEach(
                script -> script.register(1).extract().start(Kind.VALIDATE_RUN).pass());
        cut.forEach(RunScript::publish);
        return cut;
    }
}
