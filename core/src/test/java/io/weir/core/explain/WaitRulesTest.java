package io.weir.core.explain;

import static io.weir.core.explain.Lines.assertLines;
import static io.weir.core.explain.Scene.NOW;
import static io.weir.core.explain.Scene.RUN;
import static io.weir.core.explain.Scene.ago;
import static io.weir.core.explain.Scene.in;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;

/** A step that nobody does yet. */
class WaitRulesTest {
    private static Scene extracted() {
        return Scene.of(RunState.EXTRACTED_VALIDATED).worker(4, 0);
    }

    @Test
    void aStepWaitsForItsFirstDelivery() {
        Scene scene =
                extracted().dispatch(Kind.VALIDATE_RUN, 1, DispatchState.PENDING, 0, ago(3), null);
        assertThat(scene.codes()).containsExactly(FindingCode.STEP_DUE);
        assertLines(
                scene.finding(FindingCode.STEP_DUE),
                "WAIT  VALIDATE_RUN has waited 30 s for a worker process.",
                "since: 30 s ago",
                "cycle: 1",
                "tries: 0 of 20",
                "next: it is delivered, in 2 s");
    }

    @Test
    void aDeliveryThatNobodyMakesIsOverdue() {
        assertThat(extracted()
                        .dispatch(Kind.VALIDATE_RUN, 1, DispatchState.PENDING, 0, ago(30), null)
                        .finding(FindingCode.STEP_DUE)
                        .next())
                .isEqualTo(new Next("it is delivered", ago(25), true));
    }

    @Test
    void aStepIsBeingDelivered() {
        assertLines(
                extracted()
                        .dispatch(Kind.VALIDATE_RUN, 1, DispatchState.PENDING, 1, in(40), null)
                        .finding(FindingCode.STEP_DELIVERY),
                "WAIT  VALIDATE_RUN is being delivered to a worker process, try 1 of 20.",
                "since: 30 s ago",
                "cycle: 1",
                "tries: 1 of 20",
                "next: without an answer, it is delivered again, in 45 s");
    }

    @Test
    void aStepWasNotTaken() {
        assertLines(
                extracted()
                        .dispatch(
                                Kind.VALIDATE_RUN,
                                2,
                                DispatchState.PENDING,
                                3,
                                in(40),
                                "catalog does not\nanswer.")
                        .finding(FindingCode.STEP_NOT_TAKEN),
                "WARN  VALIDATE_RUN is not taken yet, try 3 of 20; the last answer was: catalog"
                        + " does not answer.",
                "since: 30 s ago",
                "cycle: 2",
                "tries: 3 of 20",
                "last answer: catalog does not answer.",
                "next: it is delivered again unless it is taken first, in 45 s");
    }

    @Test
    void aDeclinedStepCountsNoTry() {
        assertThat(extracted()
                        .dispatch(
                                Kind.VALIDATE_RUN,
                                1,
                                DispatchState.PENDING,
                                0,
                                in(5),
                                "I do not know lake")
                        .finding(FindingCode.STEP_NOT_TAKEN)
                        .cause())
                .isEqualTo("VALIDATE_RUN is not taken yet; the last answer was: I do not know"
                        + " lake.");
    }

    @Test
    void aStepWasTakenAndNotStarted() {
        assertLines(
                extracted()
                        .dispatch(Kind.VALIDATE_RUN, 1, DispatchState.SENT, 2, ago(20), null)
                        .finding(FindingCode.STEP_SENT),
                "WAIT  VALIDATE_RUN was taken by a worker process 20 s ago and is not started yet,"
                        + " try 2 of 20.",
                "since: 20 s ago",
                "cycle: 1",
                "tries: 2 of 20",
                "next: unless it is started, it is delivered again, in 1 min");
        assertThat(extracted()
                        .dispatch(Kind.VALIDATE_RUN, 1, DispatchState.SENT, 20, ago(20), null)
                        .finding(FindingCode.STEP_SENT)
                        .next())
                .isEqualTo(new Next("unless it is started, it is given up", in(105), false));
    }

    @Test
    void aDeadStepNeedsAPerson() {
        Scene scene = extracted()
                .dispatch(Kind.VALIDATE_RUN, 1, DispatchState.DEAD, 20, ago(20), "503 from x");
        assertThat(scene.codes()).containsExactly(FindingCode.STEP_DEAD);
        assertLines(
                scene.finding(FindingCode.STEP_DEAD),
                "ACT   VALIDATE_RUN was given up after 20 tries; the last answer was: 503 from x.",
                "since: 30 s ago",
                "cycle: 1",
                "tries: 20 of 20",
                "last answer: 503 from x",
                "next: the run ends as TIMED_OUT unless the step is sent again in time, in 2 h",
                "do: Remove the cause, then send the step again: weir resend " + RUN,
                "do: Cancel the run: weir cancel " + RUN + " --reason TEXT");
    }

    @Test
    void aDeadStepOfAPublishedRunEndsNothing() {
        assertLines(
                Scene.of(RunState.PUBLISHED)
                        .published(123)
                        .dispatch(Kind.CONFIRM_RUN, 1, DispatchState.DEAD, 1, ago(20), null)
                        .finding(FindingCode.STEP_DEAD),
                "ACT   CONFIRM_RUN was given up after 1 try.",
                "since: 30 s ago",
                "cycle: 1",
                "tries: 1 of 20",
                "next: nothing, until the step is sent again",
                "do: Remove the cause, then send the step again: weir resend " + RUN);
    }

    @Test
    void theNewestCycleCounts() {
        Scene scene = extracted()
                .dispatch(Kind.VALIDATE_RUN, 2, DispatchState.PENDING, 0, NOW, null)
                .dispatch(Kind.VALIDATE_RUN, 1, DispatchState.ACKED, 1, ago(60), null);
        assertThat(scene.codes()).containsExactly(FindingCode.STEP_DUE);
    }
}
