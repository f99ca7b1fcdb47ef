package io.weir.ledger.run;

import static io.weir.ledger.run.RunRows.ALIVE;
import static io.weir.ledger.run.RunRows.FAILURE;
import static io.weir.ledger.run.RunRows.LATE;
import static io.weir.ledger.run.RunRows.OVER;
import static io.weir.ledger.run.RunRows.OWNER;
import static io.weir.ledger.run.RunRows.TEN;
import static io.weir.ledger.run.RunRows.row;
import static io.weir.ledger.run.RunRows.terms;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Failure;
import io.weir.core.run.RunState;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.StatesDocument;
import io.weir.ledger.run.RunRows.Place;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** Every state against every command, with an owner and without one. */
class RunMachineTest {
    private static final Failure EXPIRED =
            new Failure("EXTRACT", "SOURCE_SNAPSHOT_EXPIRED", "snapshot too old");

    @Test
    void everyPairIsDecided() throws IOException {
        StatesDocument<Place, RunRow> document = document();

        for (Place place : Place.all()) {
            for (String command : document.commands()) {
                boolean moves = document.moves(place, command);
                boolean cleans = command.startsWith("Clean");
                assertThat(moves && place.state().isTerminal() && !cleans)
                        .as(place + " " + command)
                        .isFalse();
            }
            boolean left = document.commands().stream()
                    .anyMatch(command -> !document.after(place, command).equals(place));
            assertThat(left).as("can leave " + place).isEqualTo(place.state().isActive());
        }
        document.checkPage("run.md");
        document.checkMoves("run");
    }

    /** Nothing waits for ever: time or a lost owner moves every state that has one of them. */
    @Test
    void whatIsOwnedOrBeforePublishingIsMovedByTimeAlone() {
        StatesDocument<Place, RunRow> document = document();

        for (Place place : Place.all()) {
            boolean owned = row(place).run().owner() != null;
            boolean ends =
                    document.after(place, "Overrun, deadline over").state().isTerminal();
            boolean lost = document.moves(place, "Expire, lease over");
            assertThat(ends && place.state().isActive())
                    .as("ended by its deadline: " + place)
                    .isEqualTo(place.state().isBeforePublishing());
            assertThat(lost)
                    .as("moved by its lease: " + place)
                    .isEqualTo(owned
                            || place.state() == RunState.CREATED
                            || place.state() == RunState.EXTRACTING);
        }
    }

    private static StatesDocument<Place, RunRow> document() {
        StatesDocument<Place, RunRow> document = new StatesDocument<>(
                "States of a run",
                "A run is one attempt to load a job for a business key. Every command in"
                        + " every state has one of four answers: the run moves and an"
                        + " event is written, its lease is prolonged, the command was"
                        + " carried out before, or it is refused with a code. A step is"
                        + " done by its owner, under the lease of the run. A state that"
                        + " ends in _OWNED is the state without it while somebody does"
                        + " the step; STAGE_VALIDATING and PUBLISHING always have an"
                        + " owner, all others never have one.",
                Place.all(),
                Place::of);
        extraction(document);
        steps(document);
        endings(document);
        time(document);
        return document;
    }

    private static void extraction(StatesDocument<Place, RunRow> document) {
        add(document, "RegisterManifest", new RunCommand.RegisterManifest(terms("same")));
        add(
                document,
                "RegisterManifest, another one",
                new RunCommand.RegisterManifest(terms("other")));
        add(document, "RejectManifest", new RunCommand.RejectManifest("same", FAILURE));
        RunCommand complete = new RunCommand.CompletePartition(TEN, List.of());
        add(document, "CompletePartition, not the last", complete);
        document.decide(
                "CompletePartition, the last",
                place -> decide(RunRows.nearlyDone(place, 20), complete));
        document.decide(
                "CompletePartition, the last, and the sum is wrong",
                place -> decide(RunRows.nearlyDone(place, 21), complete));
        add(document, "FailExtract", new RunCommand.FailExtract(FAILURE));
        add(document, "FailExtract, snapshot expired", new RunCommand.FailExtract(EXPIRED));
        add(document, "LosePartition", new RunCommand.LosePartition(FAILURE));
    }

    private static void steps(StatesDocument<Place, RunRow> document) {
        for (Dispatch.Kind kind : Dispatch.Kind.values()) {
            add(document, "StartStep " + kind, new RunCommand.StartStep(kind, OWNER));
            add(
                    document,
                    "StartStep " + kind + ", by somebody else",
                    new RunCommand.StartStep(kind, "other"));
        }
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
        add(document, "Confirm, not the last of its cut", new RunCommand.Confirm(false));
        document.decide(
                "Confirm, not the last of its cut, again",
                place -> decide(RunRows.confirmed(place), new RunCommand.Confirm(false)));
        add(document, "Confirm, the last of its cut", new RunCommand.Confirm(true));
    }

    private static void endings(StatesDocument<Place, RunRow> document) {
        for (RunState failState : RunState.values()) {
            if (failState.isTerminal() && failState != RunState.SUCCESS) {
                document.decide(
                        "Fail as " + failState,
                        place -> decide(
                                row(place),
                                new RunCommand.Fail(place.state(), failState, FAILURE)));
            }
        }
        RunCommand breakCut = new RunCommand.BreakCut(RunRows.other(RunState.FAILED_PUBLISH));
        add(document, "BreakCut", breakCut);
        document.decide(
                "BreakCut, after the read-back",
                place -> decide(RunRows.confirmed(place), breakCut));
        add(document, "Clean", new RunCommand.Clean());
        document.decide(
                "Clean, again", place -> decide(RunRows.cleaned(place), new RunCommand.Clean()));
    }

    private static void time(StatesDocument<Place, RunRow> document) {
        add(document, "Heartbeat of the creator", new RunCommand.Heartbeat(null));
        add(document, "Heartbeat of the owner", new RunCommand.Heartbeat(OWNER));
        add(document, "Heartbeat of somebody else", new RunCommand.Heartbeat("other"));
        add(document, "Expire, lease alive", new RunCommand.Expire(false));
        addAt(document, "Expire, lease over", new RunCommand.Expire(false), LATE);
        addAt(document, "Expire, lease over for the last time", new RunCommand.Expire(true), LATE);
        add(document, "Overrun, time left", new RunCommand.Overrun());
        addAt(document, "Overrun, deadline over", new RunCommand.Overrun(), OVER);
    }

    private static void add(
            StatesDocument<Place, RunRow> document, String name, RunCommand command) {
        addAt(document, name, command, ALIVE);
    }

    private static void addAt(
            StatesDocument<Place, RunRow> document, String name, RunCommand command, Instant now) {
        document.decide(name, place -> RunMachine.decide(row(place), command, now));
    }

    private static Decision<RunRow> decide(RunRow row, RunCommand command) {
        return RunMachine.decide(row, command, ALIVE);
    }
}
