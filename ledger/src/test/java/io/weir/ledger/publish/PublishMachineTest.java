package io.weir.ledger.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.RunId;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.StatesDocument;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Arrays;
import java.util.UUID;

class PublishMachineTest {
    private static final RunId RUN = new RunId(new UUID(0, 1));
    private static final UUID MINE = new UUID(0, 2);
    private static final UUID OTHER = new UUID(0, 3);

    @Test
    void everyPairIsDecided() throws IOException {
        StatesDocument<AttemptState, AttemptRow> document = new StatesDocument<>(
                "States of a publish attempt",
                "An attempt is one try to publish a run to a target, under an epoch of"
                        + " that target. At most one attempt per target is OPEN or"
                        + " UNKNOWN. Only evidence ends an attempt that was OPEN.",
                Arrays.asList(AttemptState.values()),
                row -> row.attempt().state());
        add(document, "Stage, another snapshot", new PublishCommand.Stage(MINE, 8));
        document.decide(
                "Stage, for the first time",
                state ->
                        PublishMachine.decide(row(state, null), new PublishCommand.Stage(MINE, 8)));
        add(document, "Open", new PublishCommand.Open(MINE));
        document.decide(
                "Open, nothing staged",
                state -> PublishMachine.decide(row(state, null), new PublishCommand.Open(MINE)));
        for (PublishOutcome outcome : PublishOutcome.values()) {
            add(document, "Settle as " + outcome, new PublishCommand.Settle(MINE, outcome, "seen"));
        }
        add(document, "Replace", new PublishCommand.Replace(MINE, "moved"));
        add(document, "Abandon", new PublishCommand.Abandon("run ended"));
        add(document, "Lose", new PublishCommand.Lose("lease over"));
        add(document, "Stage, by a stranger", new PublishCommand.Stage(OTHER, 8));
        add(document, "Open, by a stranger", new PublishCommand.Open(OTHER));
        add(
                document,
                "Settle, by a stranger",
                new PublishCommand.Settle(OTHER, PublishOutcome.PUBLISHED, "seen"));
        add(document, "Replace, by a stranger", new PublishCommand.Replace(OTHER, "moved"));

        for (String command : document.commands()) {
            assertThat(document.moves(AttemptState.PUBLISHED, command))
                    .as(command)
                    .isFalse();
            assertThat(document.moves(AttemptState.FAILED, command)).as(command).isFalse();
            boolean published =
                    document.after(AttemptState.STAGED, command) == AttemptState.PUBLISHED;
            assertThat(published).as(command).isFalse();
        }
        document.checkPage("publish.md");
        document.checkMoves("attempt");
    }

    @Test
    void aStrangerIsToldWhoHoldsTheAttempt() {
        Decision<AttemptRow> decision = PublishMachine.decide(
                row(AttemptState.OPEN, 8L),
                new PublishCommand.Settle(OTHER, PublishOutcome.PUBLISHED, "seen"));

        assertThat(refusal(decision))
                .isEqualTo("PUBLISH_TOKEN_MISMATCH Cannot settle attempt 3 at target sales.orders:"
                        + " another owner holds it (run=" + RUN + ", state=OPEN)");
    }

    @Test
    void opensNothingThatIsNotStaged() {
        Decision<AttemptRow> decision = PublishMachine.decide(
                row(AttemptState.STAGED, null), new PublishCommand.Open(MINE));

        assertThat(refusal(decision))
                .isEqualTo(
                        "RUN_STATE_MISMATCH Cannot open attempt 3 at target sales.orders: nothing"
                                + " is staged (branch=weir-" + RUN + "-e3)");
    }

    @Test
    void keepsTheEvidenceOfTheOutcome() {
        AttemptRow after = PublishMachine.decide(
                        row(AttemptState.UNKNOWN, 8L),
                        new PublishCommand.Settle(MINE, PublishOutcome.FAILED, "absent"))
                .rowOrThrow();

        assertThat(after.attempt().state()).isEqualTo(AttemptState.FAILED);
        assertThat(after.attempt().evidence()).isEqualTo("absent");
        assertThat(after.attempt().stagedSnapshotId()).isEqualTo(8);
        assertThat(after.version()).isEqualTo(6);
    }

    private static void add(
            StatesDocument<AttemptState, AttemptRow> document,
            String name,
            PublishCommand command) {
        document.decide(name, state -> PublishMachine.decide(row(state, 7L), command));
    }

    private static String refusal(Decision<AttemptRow> decision) {
        return decision.match(new Decision.Cases<AttemptRow, String>(
                move -> "moved",
                renew -> "renewed",
                done -> "done",
                refuse -> refuse.code() + " " + refuse.message()));
    }

    private static AttemptRow row(AttemptState state, @Nullable Long staged) {
        boolean tried = state != AttemptState.STAGED && state != AttemptState.OPEN;
        return new AttemptRow(
                new PublishAttempt(
                        "sales.orders", 3, RUN, MINE, state, 5, staged, tried ? "seen" : null),
                5);
    }
}
