package io.weir.ledger;

import static io.weir.ledger.RunsTest.assertCode;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Ledger;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.ledger.publish.PublishEvidence;
import io.weir.ledger.publish.PublishResolver;
import io.weir.ledger.publish.PublishTarget;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;

class PublishingTest {
    private final Ledger ledger = TestBooks.ledger();

    @Test
    void everyAttemptHasItsOwnEpochOfTheTarget() {
        RunScript script = RunScript.validating(1);
        UUID token = UUID.randomUUID();

        PublishAttempt first = ledger.openAttempt(script.id, 100, token);
        PublishAttempt again = ledger.openAttempt(script.id, 100, token);
        PublishAttempt second = ledger.openAttempt(script.id, 101, UUID.randomUUID());

        assertThat(first)
                .isEqualTo(new PublishAttempt(
                        script.request.target(),
                        1,
                        script.id,
                        token,
                        AttemptState.STAGED,
                        100,
                        null,
                        null));
        assertThat(again).isEqualTo(first);
        assertThat(second.epoch()).isEqualTo(2);
        // Only the newest branch can be audited, so only it can be published.
        assertThat(ledger.detail(script.id).attempts())
                .extracting("state")
                .containsExactly(AttemptState.FAILED, AttemptState.STAGED);
    }

    @Test
    void opensNoAttemptBeforeTheAudit() {
        RunScript script = RunScript.extracted(1);

        assertCode(
                        () -> ledger.openAttempt(script.id, 1, UUID.randomUUID()),
                        ErrorCode.RUN_STATE_MISMATCH)
                .isEqualTo("Cannot open a publish attempt of run " + script.id
                        + ": it is in another state (state=EXTRACTED_VALIDATED,"
                        + " needed=STAGE_VALIDATING)");
    }

    @Test
    void publishesOnceAndRemembersHow() {
        RunScript script = RunScript.toPublish(1);
        PublishAttempt staged = script.attempt();
        assertThat(script.run().stagedSnapshotId()).isEqualTo(200);

        PublishAttempt open = ledger.claimPublish(staged);
        assertThat(ledger.claimPublish(staged)).isEqualTo(open);
        assertThat(open.state()).isEqualTo(AttemptState.OPEN);
        assertThat(script.run().state()).isEqualTo(RunState.PUBLISHING);
        Run published = ledger.publishResult(open, PublishOutcome.PUBLISHED, 300L, "seen");
        Run again = ledger.publishResult(open, PublishOutcome.PUBLISHED, 300L, "seen");

        assertThat(again).isEqualTo(published);
        assertThat(published.state()).isEqualTo(RunState.PUBLISHED);
        assertThat(published.publishedSnapshotId()).isEqualTo(300);
        assertThat(published.publishedAt()).isNotNull();
        assertThat(script.attempt().evidence()).isEqualTo("seen");
        assertCode(
                        () -> ledger.publishResult(open, PublishOutcome.FAILED, null, "no"),
                        ErrorCode.RUN_STATE_MISMATCH)
                .contains("it is in another state (state=PUBLISHED)");
    }

    @Test
    void publishesNothingThatWasNotAuditedOrStaged() {
        RunScript script = RunScript.validating(1);
        PublishAttempt empty = ledger.openAttempt(script.id, 100, UUID.randomUUID());

        assertCode(() -> ledger.claimPublish(empty), ErrorCode.RUN_STATE_MISMATCH)
                .contains("nothing is staged");
        ledger.recordStaged(empty, 200);
        ledger.recordStaged(empty, 200);
        assertCode(() -> ledger.claimPublish(empty), ErrorCode.RUN_STATE_MISMATCH)
                .isEqualTo("Cannot publish run " + script.id + ": it is in another state"
                        + " (state=STAGE_VALIDATING, needed=STAGING_VALIDATED)");
        assertThat(script.attempt().state()).isEqualTo(AttemptState.STAGED);
    }

    @Test
    void strangersCannotTouchAnAttempt() {
        RunScript script = RunScript.toPublish(1);
        PublishAttempt mine = script.attempt();
        PublishAttempt forged = withToken(mine, UUID.randomUUID());
        PublishAttempt invented = new PublishAttempt(
                mine.target(), 99, mine.runId(), mine.token(), mine.state(), 1, null, null);

        assertCode(() -> ledger.claimPublish(forged), ErrorCode.PUBLISH_TOKEN_MISMATCH)
                .isEqualTo("Cannot open attempt 1 at target " + mine.target()
                        + ": another owner holds it (run=" + script.id
                        + ", state=STAGED)");
        assertCode(() -> ledger.claimPublish(invented), ErrorCode.PUBLISH_TOKEN_MISMATCH)
                .endsWith("it has no such attempt (target=" + mine.target() + ", epoch=99)");
        ledger.claimPublish(mine);
        assertCode(
                        () -> ledger.publishResult(forged, PublishOutcome.PUBLISHED, 300L, "seen"),
                        ErrorCode.PUBLISH_TOKEN_MISMATCH)
                .isNotEmpty();
        assertCode(
                        () -> ledger.renewAttempt(forged, 101, UUID.randomUUID()),
                        ErrorCode.PUBLISH_TOKEN_MISMATCH)
                .isNotEmpty();
    }

    @Test
    void aTargetIsTakenUntilItsAttemptIsSettled() {
        List<RunScript> scripts = sameTarget(2);
        PublishAttempt first = scripts.get(0).attempt();
        PublishAttempt second = scripts.get(1).attempt();
        PublishAttempt open = ledger.claimPublish(first);
        String busy = "Cannot publish run " + second.runId() + " to " + second.target() + ": run "
                + first.runId() + " is publishing to it (state=";

        assertCode(() -> ledger.claimPublish(second), ErrorCode.TARGET_BUSY)
                .isEqualTo(busy + "OPEN, epoch=" + first.epoch() + ")");
        ledger.publishResult(open, PublishOutcome.UNKNOWN, null, "no reply");
        assertCode(() -> ledger.claimPublish(second), ErrorCode.TARGET_BUSY)
                .isEqualTo(busy + "UNKNOWN, epoch=" + first.epoch() + ")");
        Run failed = ledger.publishResult(open, PublishOutcome.FAILED, null, "absent");

        assertThat(failed.state()).isEqualTo(RunState.FAILED_PUBLISH);
        assertThat(ledger.claimPublish(second).state()).isEqualTo(AttemptState.OPEN);
    }

    @Test
    void tenClaimsOfOneTargetAtOnceAreOne() throws Exception {
        List<Callable<String>> calls = new ArrayList<>();
        for (RunScript script : sameTarget(10)) {
            PublishAttempt attempt = script.attempt();
            calls.add(() -> RunsTest.outcome(() -> ledger.claimPublish(attempt)));
        }

        List<String> outcomes = AtOnce.call(calls);

        assertThat(outcomes).filteredOn("done"::equals).hasSize(1);
        assertThat(outcomes).filteredOn("TARGET_BUSY"::equals).hasSize(9);
    }

    @Test
    void renewsAnAttemptWithoutGivingTheTargetAway() {
        RunScript script = RunScript.toPublish(1);
        PublishAttempt open = ledger.claimPublish(script.attempt());
        UUID token = UUID.randomUUID();

        PublishAttempt renewed = ledger.renewAttempt(open, 150, token);

        assertThat(ledger.renewAttempt(open, 150, token)).isEqualTo(renewed);
        assertThat(renewed.epoch()).isEqualTo(open.epoch() + 1);
        assertThat(renewed.state()).isEqualTo(AttemptState.OPEN);
        assertThat(renewed.baseSnapshotId()).isEqualTo(150);
        assertThat(ledger.detail(script.id).attempts())
                .extracting("state")
                .containsExactly(AttemptState.FAILED, AttemptState.OPEN);
        ledger.recordStaged(renewed, 250);
        assertCode(() -> ledger.recordStaged(renewed, 251), ErrorCode.RUN_STATE_MISMATCH)
                .contains("Cannot stage attempt");
        Run published = ledger.publishResult(renewed, PublishOutcome.PUBLISHED, 300L, "seen");
        assertThat(published.stagedSnapshotId()).isEqualTo(250);
    }

    @Test
    void resolvesAPublishedDoubtByFencingFirst() {
        RunScript script = unknown();
        List<String> steps = new ArrayList<>();

        Run run = PublishResolver.resolve(
                ledger, script.id, target(steps, PublishEvidence.published(300, "main shows 300")));

        assertThat(steps).containsExactly("fence 1", "read 1");
        assertThat(run.state()).isEqualTo(RunState.PUBLISHED);
        assertThat(run.publishedSnapshotId()).isEqualTo(300);
        assertThat(script.attempt().evidence()).isEqualTo("main shows 300");
        assertThat(PublishResolver.resolve(ledger, script.id, target(steps, null)))
                .isEqualTo(run);
        assertThat(steps).hasSize(2);
    }

    @Test
    void resolvesADoubtThatNeverHappened() {
        RunScript script = unknown();

        Run run = PublishResolver.resolve(
                ledger,
                script.id,
                target(new ArrayList<>(), PublishEvidence.absent("not on main")));

        // What was audited is still there, to be published under the next epoch.
        assertThat(run.state()).isEqualTo(RunState.STAGING_VALIDATED);
        assertThat(run.failure()).isNull();
        assertThat(script.attempt().state()).isEqualTo(AttemptState.FAILED);
        assertThat(script.attempt().evidence()).isEqualTo("not on main");
    }

    @Test
    void staysInDoubtWhileTheTargetCannotBeFenced() {
        RunScript script = unknown();
        PublishTarget unreachable = target(new ArrayList<>(), null);

        assertCode(
                        () -> PublishResolver.resolve(ledger, script.id, unreachable),
                        ErrorCode.CATALOG_UNREACHABLE)
                .isEqualTo("Cannot fence: no answer");
        assertThat(script.run().state()).isEqualTo(RunState.PUBLISH_UNKNOWN);
    }

    private static RunScript unknown() {
        RunScript script = RunScript.toPublish(1);
        PublishAttempt open = script.ledger.claimPublish(script.attempt());
        Run run = script.ledger.publishResult(open, PublishOutcome.UNKNOWN, null, "no reply");
        assertThat(run.state()).isEqualTo(RunState.PUBLISH_UNKNOWN);
        return script;
    }

    /** A target with this evidence; without any it does not answer. */
    private static PublishTarget target(List<String> steps, @Nullable PublishEvidence evidence) {
        return new PublishTarget() {
            @Override
            public void fence(PublishAttempt attempt) {
                if (evidence == null) {
                    throw new WeirException(
                            ErrorCode.CATALOG_UNREACHABLE, "Cannot fence: no answer");
                }
                steps.add("fence " + attempt.epoch());
            }

            @Override
            public PublishEvidence read(PublishAttempt attempt) {
                steps.add("read " + attempt.epoch());
                return Objects.requireNonNull(evidence);
            }
        };
    }

    /** Audited runs of different jobs that publish to one table. */
    private static List<RunScript> sameTarget(int count) {
        String target = "sales.t" + UUID.randomUUID();
        List<RunScript> scripts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CreateRun request = RunScript.request("job-" + UUID.randomUUID());
            RunScript script = RunScript.created(
                    TestBooks.ledger(),
                    new CreateRun(
                            request.idempotencyKey(),
                            request.job(),
                            request.businessKey(),
                            request.source(),
                            request.sourceTable(),
                            target,
                            request.publishMode(),
                            request.dataRoot(),
                            request.allowEmpty(),
                            request.lease(),
                            request.timeout(),
                            request.recovery(),
                            request.cut()));
            scripts.add(script.register(1)
                    .extract()
                    .start(Kind.VALIDATE_RUN)
                    .pass()
                    .start(Kind.PUBLISH_RUN));
        }
        return scripts;
    }

    private static PublishAttempt withToken(PublishAttempt attempt, UUID token) {
        return new PublishAttempt(
                attempt.target(),
                attempt.epoch(),
                attempt.runId(),
                token,
                attempt.state(),
                attempt.baseSnapshotId(),
                attempt.stagedSnapshotId(),
                attempt.evidence());
    }
}
