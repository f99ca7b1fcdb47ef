package io.weir.core.explain;

import static io.weir.core.explain.Lines.assertLines;
import static io.weir.core.explain.Scene.RUN;
import static io.weir.core.explain.Scene.ago;
import static io.weir.core.explain.Scene.in;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;

/** The lease of the coordinator and the deadline of the run. */
class ClockRulesTest {
    @Test
    void aCoordinatorPlans() {
        assertLines(
                Scene.of(RunState.CREATED).worker(4, 0).finding(FindingCode.PLANNING),
                "INFO  The coordinator takes a snapshot of shop.orders and plans how to split it.",
                "since: 10 min ago",
                "source: shop",
                "lease of the coordinator: in 20 s",
                "next: the manifest moves the run to EXTRACTING",
                "do: Cancel the run: weir cancel " + RUN + " --reason TEXT");
    }

    @Test
    void aLostCoordinatorEndsTheRun() {
        assertLines(
                Scene.of(RunState.EXTRACTING)
                        .worker(4, 0)
                        .lease(ago(3))
                        .finding(FindingCode.COORDINATOR_LOST),
                "WARN  The coordinator gave no sign since its lease ended 3 s ago.",
                "since: 3 s ago",
                "next: the run ends as TIMED_OUT, in 2 s",
                "do: Load again, as a new run: weir load JOB.YAML");
    }

    @Test
    void theLastTenthOfTheTimeIsSaid() {
        // Created 10 min ago: of 700 s, 70 are a tenth.
        Scene near = Scene.of(RunState.STAGE_VALIDATING).owner("w").worker(4, 0);
        assertLines(
                near.deadline(in(66)).finding(FindingCode.DEADLINE_NEAR),
                "WARN  Only 1 min of 11 min are left to publish the run.",
                "since: now",
                "deadline: in 1 min",
                "next: the run ends as TIMED_OUT unless it is being published by then, in 1 min");
        assertThat(near.deadline(in(67)).codes()).containsExactly(FindingCode.AUDITING);
    }

    @Test
    void theDeadlineIsOver() {
        Scene scene = Scene.of(RunState.EXTRACTING).worker(4, 0).deadline(ago(2));
        assertLines(
                scene.finding(FindingCode.DEADLINE_OVER),
                "WARN  The run was not published within 9 min: its deadline was 2 s ago.",
                "since: 2 s ago",
                "next: the run ends as TIMED_OUT, in 3 s",
                "do: Give the job more time",
                "do: Load again once the run has ended: weir load JOB.YAML");
    }

    @Test
    void noDeadlineEndsWhatMayBePublished() {
        assertThat(Scene.of(RunState.PUBLISHING).owner("w").deadline(ago(600)).codes())
                .containsExactly(FindingCode.PUBLISHING);
    }
}
