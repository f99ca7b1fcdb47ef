package io.weir.ledger.run;

import static io.weir.ledger.run.RunRows.ALIVE;
import static io.weir.ledger.run.RunRows.FAILURE;
import static io.weir.ledger.run.RunRows.LATE;
import static io.weir.ledger.run.RunRows.LEASE;
import static io.weir.ledger.run.RunRows.OVER;
import static io.weir.ledger.run.RunRows.START;
import static io.weir.ledger.run.RunRows.TEN;
import static io.weir.ledger.run.RunRows.row;
import static io.weir.ledger.run.RunRows.terms;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.PublishOutcome;
import io.weir.core.row.Balance;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Failure;
import io.weir.core.run.Loss;
import io.weir.core.run.RunState;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.run.RunRows.Place;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

/** What the moves of a run write beside its state, and what refusals say. */
class RunRulesTest {
    private static final Place PUBLISHED = new Place(RunState.PUBLISHED, true);

    @Test
    void registersTheManifestOnceAndRecognisesItAgain() {
        RunRow before = row(RunState.CREATED);

        RunRow after = moved(before, new RunCommand.RegisterManifest(terms("d1")));

        assertThat(after.run().state()).isEqualTo(RunState.EXTRACTING);
        assertThat(after.run().version()).isEqualTo(before.run().version() + 1);
        assertThat(after.run().sourceCount()).isEqualTo(20);
        assertThat(after.run().partitionCount()).isEqualTo(3);
        assertThat(after.columns()).containsExactly("id", "note");
        assertThat(after.run().keyColumns()).containsExactly("id");
        assertThat(decide(after, new RunCommand.RegisterManifest(terms("d1"))))
                .isEqualTo(new Decision.AlreadyDone<>(after));
        assertThat(refusal(after, new RunCommand.RegisterManifest(terms("d2"))))
                .isEqualTo("RUN_STATE_MISMATCH Cannot register the manifest of run "
                        + after.run().id()
                        + ": the run holds another one or ended (state=EXTRACTING)");
    }

    @Test
    void addsUpPartitionsAndLosses() {
        RunRow after = moved(
                row(RunState.EXTRACTING),
                new RunCommand.CompletePartition(
                        TEN, List.of(new Loss("price", 2), new Loss("born", 1))));

        assertThat(after.run().state()).isEqualTo(RunState.EXTRACTING);
        assertThat(after.run().succeededPartitions()).isEqualTo(2);
        assertThat(after.run().extracted()).isEqualTo(new Balance(20, 2, 4));
        assertThat(after.run().losses()).containsExactly(new Loss("born", 1), new Loss("price", 5));
    }

    @Test
    void failsNamingExpectedAndFoundWhenThePartitionsDoNotAddUp() {
        RunRow after = moved(
                RunRows.nearlyDone(new Place(RunState.EXTRACTING, false), 21),
                new RunCommand.CompletePartition(TEN, List.of()));

        assertThat(after.run().state()).isEqualTo(RunState.FAILED_EXTRACT);
        assertThat(after.run().endedAt()).isEqualTo(ALIVE);
        assertThat(after.run().failure())
                .isEqualTo(new Failure(
                        "EXTRACT",
                        "ROW_COUNT_MISMATCH",
                        "Cannot accept run " + after.run().id()
                                + ": its partitions do not add up to the source"
                                + " (expected=21, found=20)"));
    }

    @Test
    void whoStartsAStepOwnsItForOneLease() {
        RunRow after = moved(
                row(RunState.EXTRACTED_VALIDATED),
                new RunCommand.StartStep(Dispatch.Kind.VALIDATE_RUN, "w1"));

        assertThat(after.run().owner()).isEqualTo("w1");
        assertThat(after.run().leaseUntil()).isEqualTo(ALIVE.plus(LEASE));
        assertThat(refusal(after, new RunCommand.StartStep(Dispatch.Kind.VALIDATE_RUN, "w2")))
                .isEqualTo("RUN_STATE_MISMATCH Cannot start VALIDATE_RUN of run "
                        + after.run().id() + ": it is in another state (state=STAGE_VALIDATING,"
                        + " needed=EXTRACTED_VALIDATED)");
        RunRow passed = moved(after, new RunCommand.PassStaging());
        assertThat(passed.run().owner()).isNull();
    }

    @Test
    void publishedNeedsItsSnapshotAndClearsTheDoubt() {
        RunRow unknown = moved(
                row(RunState.PUBLISHING),
                new RunCommand.SettlePublish(PublishOutcome.UNKNOWN, null, "no reply"));
        assertThat(unknown.run().failure())
                .isEqualTo(new Failure("PUBLISH", "TABLE_COMMIT_UNKNOWN", "no reply"));
        assertThat(unknown.run().owner()).isNull();
        assertThat(refusal(
                        unknown,
                        new RunCommand.SettlePublish(PublishOutcome.PUBLISHED, null, "seen")))
                .startsWith(
                        "LEDGER_INVARIANT Cannot record run " + unknown.run().id());

        RunRow published =
                moved(unknown, new RunCommand.SettlePublish(PublishOutcome.PUBLISHED, 77L, "seen"));

        assertThat(published.run().publishedSnapshotId()).isEqualTo(77);
        assertThat(published.run().publishedAt()).isEqualTo(ALIVE);
        assertThat(published.run().failure()).isNull();
    }

    @Test
    void whatIsProvenAbsentIsPublishedAgainWithoutItsDoubt() {
        RunRow unknown = moved(
                row(RunState.PUBLISHING),
                new RunCommand.SettlePublish(PublishOutcome.UNKNOWN, null, "no reply"));

        RunRow absent = moved(
                unknown, new RunCommand.SettlePublish(PublishOutcome.ABSENT, null, "not there"));

        assertThat(absent.run().state()).isEqualTo(RunState.STAGING_VALIDATED);
        assertThat(absent.run().failure()).isNull();
        assertThat(StepRules.needed(absent.run())).contains(Dispatch.Kind.PUBLISH_RUN);
    }

    @Test
    void confirmsOnceAndKeepsTheTimeOfTheReadBack() {
        RunRow confirmed = RunMachine.decide(row(PUBLISHED), new RunCommand.Confirm(false), ALIVE)
                .rowOrThrow();
        assertThat(confirmed.run().state()).isEqualTo(RunState.PUBLISHED);
        assertThat(confirmed.run().confirmedAt()).isEqualTo(ALIVE);
        assertThat(confirmed.run().owner()).isNull();
        assertThat(StepRules.needed(confirmed.run())).isEmpty();

        RunRow success =
                RunMachine.decide(confirmed, new RunCommand.Confirm(true), LATE).rowOrThrow();

        assertThat(success.run().state()).isEqualTo(RunState.SUCCESS);
        assertThat(success.run().confirmedAt()).isEqualTo(ALIVE);
        assertThat(success.run().endedAt()).isEqualTo(LATE);
    }

    @Test
    void tellsWhatCanFollowInsteadOfAWrongFailState() {
        RunRow row = row(RunState.STAGE_VALIDATING);

        assertThat(refusal(
                        row,
                        new RunCommand.Fail(
                                RunState.STAGE_VALIDATING, RunState.FAILED_PUBLISH, FAILURE)))
                .isEqualTo("RUN_STATE_MISMATCH Cannot end run " + row.run().id()
                        + " as FAILED_PUBLISH: that state cannot follow"
                        + " (state=STAGE_VALIDATING, possible=[FAILED_STAGE_VALIDATION,"
                        + " CANCELLED])");
        assertThat(refusal(
                        row, new RunCommand.Fail(RunState.EXTRACTING, RunState.CANCELLED, FAILURE)))
                .isEqualTo("RUN_STATE_MISMATCH Cannot end run " + row.run().id()
                        + ": it is in another state (state=STAGE_VALIDATING,"
                        + " needed=EXTRACTING)");
    }

    @Test
    void aLeaseEndsExactlyWhenItsTimeHasCome() {
        Instant end = START.plus(LEASE);
        RunRow row = row(RunState.EXTRACTING);

        Decision<RunRow> before =
                RunMachine.decide(row, new RunCommand.Expire(false), end.minusNanos(1000));
        Decision<RunRow> at = RunMachine.decide(row, new RunCommand.Expire(false), end);

        assertThat(before.isRefused()).isTrue();
        assertThat(at.rowOrThrow().run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(at.rowOrThrow().run().failure())
                .isEqualTo(new Failure(
                        "EXTRACTING",
                        "LEASE_LOST",
                        "its coordinator gave no sign since its lease ended at " + end));
    }

    @Test
    void aDeadlineEndsExactlyWhenItsTimeHasCome() {
        RunRow row = row(RunState.EXTRACTED_VALIDATED);

        Decision<RunRow> before =
                RunMachine.decide(row, new RunCommand.Overrun(), OVER.minusNanos(1000));
        Decision<RunRow> at = RunMachine.decide(row, new RunCommand.Overrun(), OVER);

        assertThat(before.isRefused()).isTrue();
        assertThat(at.rowOrThrow().run().failure())
                .isEqualTo(new Failure(
                        "EXTRACTED_VALIDATED", "RUN_TIMEOUT", "it was not published by " + OVER));
    }

    @Test
    void saysWhichRunOfTheCutBrokeIt() {
        RunRow other = row(RunState.FAILED_PUBLISH);
        String reason = "run " + other.run().id()
                + " of the same cut ended as FAILED_PUBLISH (target=sales.orders)";

        RunRow broken = moved(row(RunState.STAGE_VALIDATING), new RunCommand.BreakCut(other.run()));
        RunRow torn = moved(RunRows.confirmed(PUBLISHED), new RunCommand.BreakCut(other.run()));

        assertThat(broken.run().failure())
                .isEqualTo(new Failure("STAGE_VALIDATING", "CUT_BROKEN", reason));
        assertThat(torn.run().failure())
                .isEqualTo(new Failure("PUBLISHED", "CUT_INCOMPLETE", reason));
    }

    @Test
    void aHeartbeatProlongsTheLeaseAndKeepsTheVersion() {
        RunRow row = row(RunState.PUBLISHING);

        RunRow after = decide(row, new RunCommand.Heartbeat(row.run().owner())).rowOrThrow();

        assertThat(after.run().leaseUntil()).isEqualTo(ALIVE.plus(LEASE));
        assertThat(after.run().version()).isEqualTo(row.run().version());
    }

    @Test
    void aHeartbeatOfAnybodyElseKeepsNothingAlive() {
        RunRow free = row(RunState.EXTRACTING);
        RunRow owned = decide(
                        row(RunState.EXTRACTED_VALIDATED),
                        new RunCommand.StartStep(Dispatch.Kind.VALIDATE_RUN, "w1"))
                .rowOrThrow();

        assertThat(decide(free, new RunCommand.Heartbeat("w1")))
                .isEqualTo(new Decision.AlreadyDone<>(free));
        assertThat(decide(owned, new RunCommand.Heartbeat(null)))
                .isEqualTo(new Decision.AlreadyDone<>(owned));
        assertThat(decide(owned, new RunCommand.Heartbeat("w2")))
                .isEqualTo(new Decision.AlreadyDone<>(owned));
        assertThat(decide(owned, new RunCommand.Heartbeat("w1"))
                        .rowOrThrow()
                        .run()
                        .leaseUntil())
                .isEqualTo(ALIVE.plus(LEASE));
    }

    private static Decision<RunRow> decide(RunRow row, RunCommand command) {
        return RunMachine.decide(row, command, ALIVE);
    }

    private static RunRow moved(RunRow row, RunCommand command) {
        Decision<RunRow> decision = decide(row, command);
        assertThat(decision).isInstanceOf(Decision.Move.class);
        return decision.rowOrThrow();
    }

    private static String refusal(RunRow row, RunCommand command) {
        return decide(row, command)
                .match(new Decision.Cases<RunRow, String>(
                        move -> "moved",
                        renew -> "renewed",
                        done -> "done",
                        refuse -> refuse.code() + " " + refuse.message()));
    }
}
