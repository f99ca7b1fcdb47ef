package io.weir.core.explain;

import static io.weir.core.explain.Lines.assertLines;
import static io.weir.core.explain.Scene.OTHER;
import static io.weir.core.explain.Scene.RUN;
import static io.weir.core.explain.Scene.in;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;

/** Runs that wait for each other, and end together. */
class CutRulesTest {
    private static Scene other(RunState state) {
        return Scene.of(state).run(OTHER, "lake.items");
    }

    @Test
    void waitsForTheAuditOfTheOthers() {
        Scene scene = Scene.of(RunState.STAGING_VALIDATED).cut(3, other(RunState.EXTRACTING));
        assertThat(scene.codes()).containsExactly(FindingCode.CUT_NOT_AUDITED);
        assertLines(
                scene.finding(FindingCode.CUT_NOT_AUDITED),
                "WAIT  The run is audited; 2 of 3 runs of its cut are not.",
                "run " + OTHER + ": lake.items is EXTRACTING",
                "not created yet: 1 run",
                "next: PUBLISH_RUN is asked for once every run of the cut is audited",
                "do: Cancel the run: weir cancel " + RUN + " --reason TEXT");
    }

    @Test
    void waitsNoLongerOnceItMayPublish() {
        assertThat(Scene.of(RunState.STAGING_VALIDATED)
                        .worker(4, 0)
                        .cut(2, other(RunState.PUBLISHED))
                        .dispatch(Kind.PUBLISH_RUN, DispatchState.PENDING)
                        .codes())
                .containsExactly(FindingCode.STEP_DUE);
    }

    @Test
    void waitsForTheReadBackOfTheOthers() {
        Scene scene = Scene.of(RunState.PUBLISHED)
                .published(123)
                .confirmed(12)
                .cut(2, other(RunState.PUBLISHED));
        assertThat(scene.codes()).containsExactly(FindingCode.CUT_NOT_CONFIRMED);
        assertLines(
                scene.finding(FindingCode.CUT_NOT_CONFIRMED),
                "WAIT  The run is published and read back; 1 of 2 runs of its cut is not.",
                "since: 12 s ago",
                "run " + OTHER + ": lake.items is PUBLISHED",
                "next: the run becomes SUCCESS once every run of the cut is read back");
    }

    @Test
    void endsWithTheOthers() {
        Scene scene = Scene.of(RunState.STAGING_VALIDATED)
                .worker(4, 0)
                .cut(2, other(RunState.FAILED_EXTRACT).ended(2));
        assertThat(scene.codes())
                .containsExactly(FindingCode.CUT_BROKEN, FindingCode.CUT_NOT_AUDITED);
        assertLines(
                scene.finding(FindingCode.CUT_BROKEN),
                "WARN  The cut cannot become whole: run " + OTHER
                        + " (lake.items) ended as FAILED_EXTRACT.",
                "since: 2 s ago",
                "next: this run ends as FAILED_PUBLISH, in 3 s",
                "do: Look at run " + OTHER + ": weir show " + OTHER);
    }

    @Test
    void everyStateEndsInItsOwnWay() {
        assertEnds(RunState.CREATED, RunState.FAILED_MANIFEST);
        assertEnds(RunState.EXTRACTING, RunState.FAILED_EXTRACT);
        assertEnds(RunState.EXTRACTED_VALIDATED, RunState.FAILED_EXTRACT);
        assertEnds(RunState.STAGE_VALIDATING, RunState.FAILED_STAGE_VALIDATION);
        assertEnds(RunState.STAGING_VALIDATED, RunState.FAILED_PUBLISH);
        assertThat(Scene.of(RunState.PUBLISHED)
                        .worker(4, 0)
                        .confirmed(12)
                        .cut(2, other(RunState.CANCELLED).ended(2))
                        .finding(FindingCode.CUT_BROKEN)
                        .next())
                .isEqualTo(new Next("this run ends as FAILED_TARGET_VALIDATION", in(3), false));
    }

    private static void assertEnds(RunState state, RunState end) {
        assertThat(Scene.of(state)
                        .worker(4, 0)
                        .cut(2, other(RunState.CANCELLED).ended(2))
                        .finding(FindingCode.CUT_BROKEN)
                        .next())
                .isEqualTo(new Next("this run ends as " + end, in(3), false));
    }

    @Test
    void nothingEndsWhatMayBePublished() {
        assertThat(Scene.of(RunState.PUBLISHING)
                        .owner("w")
                        .cut(2, other(RunState.FAILED_PUBLISH).ended(600))
                        .codes())
                .containsExactly(FindingCode.PUBLISHING);
    }
}
