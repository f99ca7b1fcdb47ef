package io.weir.ledger.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.PublishMode;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.row.Balance;
import io.weir.core.run.Consistency;
import io.weir.core.run.Failure;
import io.weir.core.run.Loss;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.StatesDocument;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

class RunMachineTest {
    private static final Instant START = Instant.parse("2026-11-29T10:00:00Z");
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final Instant ALIVE = START.plusSeconds(60);
    private static final Instant LATE = START.plusSeconds(121);
    private static final Failure FAILURE = new Failure("EXTRACT", "SOURCE_LOCKED", "locked");
    private static final Failure EXPIRED =
            new Failure("EXTRACT", "SOURCE_SNAPSHOT_EXPIRED", "snapshot too old");
    private static final Balance TEN = new Balance(10, 1, 2);

    @Test
    void everyPairIsDecided() throws IOException {
        StatesDocument<RunState, RunRow> document = document();

        for (RunState state : RunState.values()) {
            for (String command : document.commands()) {
                boolean moves = document.moves(state, command);
                assertThat(moves && state.isTerminal())
                        .as(state + " " + command)
                        .isFalse();
            }
        }
        for (RunState state : RunState.values()) {
            boolean left = document.commands().stream()
                    .anyMatch(command -> document.after(state, command) != state);
            assertThat(left).as("can leave " + state).isEqualTo(state.isActive());
        }
        document.checkPage("run.md");
    }

    private static StatesDocument<RunState, RunRow> document() {
        StatesDocument<RunState, RunRow> document = new StatesDocument<>(
                "States of a run",
                "A run is one attempt to load a job for a business key. Every command in"
                        + " every state has one of four answers: the run moves and an"
                        + " event is written, its lease is prolonged, the command was"
                        + " carried out before, or it is refused with a code.",
                Arrays.asList(RunState.values()),
                row -> row.run().state());
        add(document, "RegisterManifest", new RunCommand.RegisterManifest(terms("same")));
        add(
                document,
                "RegisterManifest, another one",
                new RunCommand.RegisterManifest(terms("other")));
        add(document, "RejectManifest", new RunCommand.RejectManifest("same", FAILURE));
        add(
                document,
                "CompletePartition, not the last",
                new RunCommand.CompletePartition(TEN, List.of()));
        document.decide(
                "CompletePartition, the last",
                state -> decide(
                        nearlyDone(state, 20), new RunCommand.CompletePartition(TEN, List.of())));
        document.decide(
                "CompletePartition, the last, and the sum is wrong",
                state -> decide(
                        nearlyDone(state, 21), new RunCommand.CompletePartition(TEN, List.of())));
        add(document, "FailExtract", new RunCommand.FailExtract(FAILURE));
        add(document, "FailExtract, snapshot expired", new RunCommand.FailExtract(EXPIRED));
        add(document, "StartValidation", new RunCommand.StartValidation("me"));
        add(document, "StartValidation, by another owner", new RunCommand.StartValidation("other"));
        add(document, "RecordStaged", new RunCommand.RecordStaged(7));
        add(document, "PassStaging", new RunCommand.PassStaging());
        add(document, "ClaimPublish", new RunCommand.ClaimPublish());
        for (PublishOutcome outcome : PublishOutcome.values()) {
            Long snapshot = outcome == PublishOutcome.PUBLISHED ? 9L : null;
            add(
                    document,
                    "SettlePublish as " + outcome,
                    new RunCommand.SettlePublish(outcome, snapshot, "seen"));
        }
        add(document, "Succeed", new RunCommand.Succeed());
        for (RunState failState : RunState.values()) {
            if (failState.isTerminal() && failState != RunState.SUCCESS) {
                document.decide(
                        "Fail as " + failState,
                        state ->
                                decide(row(state), new RunCommand.Fail(state, failState, FAILURE)));
            }
        }
        add(document, "Heartbeat", new RunCommand.Heartbeat());
        add(document, "Expire, lease alive", new RunCommand.Expire());
        document.decide(
                "Expire, lease over",
                state -> RunMachine.decide(row(state), new RunCommand.Expire(), LATE));
        return document;
    }

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
                nearlyDone(RunState.EXTRACTING, 21),
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
    void publishedNeedsItsSnapshotAndClearsTheDoubt() {
        RunRow unknown = moved(
                row(RunState.PUBLISHING),
                new RunCommand.SettlePublish(PublishOutcome.UNKNOWN, null, "no reply"));
        assertThat(unknown.run().failure())
                .isEqualTo(new Failure("PUBLISH", "TABLE_COMMIT_UNKNOWN", "no reply"));
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
                RunMachine.decide(row, new RunCommand.Expire(), end.minusNanos(1000));
        Decision<RunRow> at = RunMachine.decide(row, new RunCommand.Expire(), end);

        assertThat(before.isRefused()).isTrue();
        assertThat(at.rowOrThrow().run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(at.rowOrThrow().run().failure())
                .isEqualTo(new Failure(
                        "EXTRACTING",
                        "LEASE_LOST",
                        "its coordinator gave no sign since its lease ended at " + end));
    }

    @Test
    void aHeartbeatProlongsTheLeaseAndKeepsTheVersion() {
        RunRow row = row(RunState.PUBLISHING);

        RunRow after = decide(row, new RunCommand.Heartbeat()).rowOrThrow();

        assertThat(after.run().leaseUntil()).isEqualTo(ALIVE.plus(LEASE));
        assertThat(after.run().version()).isEqualTo(row.run().version());
    }

    private static void add(
            StatesDocument<RunState, RunRow> document, String name, RunCommand command) {
        document.decide(name, state -> decide(row(state), command));
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

    private static ManifestTerms terms(String digest) {
        return new ManifestTerms(
                digest,
                new SnapshotToken("postgresql-snapshot", "00000003-1"),
                null,
                Consistency.SAME_SNAPSHOT,
                20,
                3,
                List.of("id", "note"),
                List.of("id"));
    }

    private static RunRow row(RunState state) {
        return row(state, 3, 20);
    }

    /** One of two partitions is missing. */
    private static RunRow nearlyDone(RunState state, long sourceCount) {
        return row(state, 2, sourceCount);
    }

    private static RunRow row(RunState state, int partitions, long sourceCount) {
        Run run = new Run(
                new RunId(new UUID(0, 1)),
                "orders",
                "2026-11-29",
                state,
                4,
                "shop",
                "public.orders",
                "sales.orders",
                PublishMode.REPLACE,
                List.of("id"),
                "file:///lake/run=1",
                new SnapshotToken("postgresql-snapshot", "00000003-1"),
                null,
                Consistency.SAME_SNAPSHOT,
                sourceCount,
                partitions,
                1,
                TEN,
                null,
                null,
                List.of(new Loss("price", 3)),
                null,
                START,
                null,
                null,
                state.isTerminal() ? ALIVE : null,
                START.plus(LEASE));
        String digest = state == RunState.CREATED ? null : "same";
        return new RunRow(run, "key", "[]", false, LEASE, List.of("id"), digest, "me");
    }
}
