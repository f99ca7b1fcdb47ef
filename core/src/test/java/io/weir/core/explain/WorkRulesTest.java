package io.weir.core.explain;

import static io.weir.core.explain.Lines.assertLines;
import static io.weir.core.explain.Scene.RUN;
import static io.weir.core.explain.Scene.ago;
import static io.weir.core.explain.Scene.in;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.AttemptState;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A step that somebody does or did. */
class WorkRulesTest {
    private static final String CANCEL =
            "do: Cancel the run: weir cancel " + RUN + " --reason TEXT";

    private static Scene owned(RunState state, Kind kind) {
        return Scene.of(state).worker(4, 0).owner("host-1:42").dispatch(kind, DispatchState.ACKED);
    }

    @Test
    void aWorkerAudits() {
        assertLines(
                owned(RunState.STAGE_VALIDATING, Kind.VALIDATE_RUN)
                        .chunk(ChunkState.VERIFIED)
                        .chunk(ChunkState.WRITTEN)
                        .finding(FindingCode.AUDITING),
                "INFO  host-1:42 stages 2 files and measures what is in them.",
                "since: 10 s ago",
                "lease of the step: in 20 s",
                "verified: 1 of 2 files",
                "next: the verdict moves the run to STAGING_VALIDATED or ends it",
                CANCEL);
    }

    @Test
    void aWorkerIsAboutToPublish() {
        assertLines(
                owned(RunState.STAGING_VALIDATED, Kind.PUBLISH_RUN).finding(FindingCode.PREPARING),
                "INFO  host-1:42 is about to publish to lake.orders.",
                "since: 10 s ago",
                "lease of the step: in 20 s",
                "next: the publish claim moves the run to PUBLISHING",
                CANCEL);
    }

    @Test
    void aWorkerPublishes() {
        assertLines(
                owned(RunState.PUBLISHING, Kind.PUBLISH_RUN)
                        .attempt(AttemptState.OPEN, null)
                        .finding(FindingCode.PUBLISHING),
                "INFO  host-1:42 commits attempt 41 to lake.orders.",
                "since: 10 s ago",
                "lease of the step: in 20 s",
                "next: the publish result moves the run on");
    }

    @Test
    void aWorkerFindsOut() {
        Scene scene = owned(RunState.PUBLISH_UNKNOWN, Kind.RESOLVE_RUN);
        assertThat(scene.codes())
                .containsExactly(FindingCode.PUBLISH_UNKNOWN, FindingCode.RESOLVING);
        assertLines(
                scene.finding(FindingCode.RESOLVING),
                "INFO  host-1:42 fences lake.orders and reads whether the run is published.",
                "since: 10 s ago",
                "lease of the step: in 20 s",
                "next: what is read moves the run on");
    }

    @Test
    void aWorkerReadsBack() {
        assertLines(
                owned(RunState.PUBLISHED, Kind.CONFIRM_RUN)
                        .published(123)
                        .finding(FindingCode.CONFIRMING),
                "INFO  host-1:42 reads the published rows of lake.orders back.",
                "since: 10 s ago",
                "lease of the step: in 20 s",
                "snapshot of the table: 123",
                "next: the verdict confirms the run or ends it");
    }

    @Test
    void aLostAuditIsAskedForAgain() {
        assertLines(
                owned(RunState.STAGE_VALIDATING, Kind.VALIDATE_RUN)
                        .lease(ago(2))
                        .finding(FindingCode.STEP_LOST),
                "WARN  host-1:42 gave no sign since its lease ended 2 s ago.",
                "since: 2 s ago",
                "step: VALIDATE_RUN",
                "cycle: 1",
                "next: VALIDATE_RUN is asked for again, in 3 s",
                "do: Find out what happened to host-1:42",
                CANCEL);
    }

    @Test
    void everyStateHasItsOwnConsequence() {
        assertThat(lost(RunState.STAGE_VALIDATING, Kind.VALIDATE_RUN, 2))
                .isEqualTo(next("VALIDATE_RUN is asked for again"));
        assertThat(lost(RunState.STAGE_VALIDATING, Kind.VALIDATE_RUN, 3))
                .isEqualTo(next("the run ends as FAILED_STAGE_VALIDATION, because a step is begun"
                        + " 3 times at most"));
        assertThat(lost(RunState.STAGING_VALIDATED, Kind.PUBLISH_RUN, 2))
                .isEqualTo(next("PUBLISH_RUN is asked for again"));
        assertThat(lost(RunState.STAGING_VALIDATED, Kind.PUBLISH_RUN, 3))
                .isEqualTo(next("the run ends as FAILED_PUBLISH, because a step is begun 3 times at"
                        + " most"));
        assertThat(lost(RunState.PUBLISHING, Kind.PUBLISH_RUN, 3))
                .isEqualTo(next("the run becomes PUBLISH_UNKNOWN, and RESOLVE_RUN finds out"
                        + " whether it is published"));
        assertThat(lost(RunState.PUBLISH_UNKNOWN, Kind.RESOLVE_RUN, 3))
                .isEqualTo(next("RESOLVE_RUN is asked for again"));
        assertThat(lost(RunState.PUBLISHED, Kind.CONFIRM_RUN, 3))
                .isEqualTo(next("CONFIRM_RUN is asked for again"));
    }

    private static @Nullable Next lost(RunState state, Kind kind, int cycle) {
        return Scene.of(state)
                .worker(4, 0)
                .owner("host-1:42")
                .lease(ago(2))
                .dispatch(kind, cycle, DispatchState.ACKED, 1, ago(60), null)
                .finding(FindingCode.STEP_LOST)
                .next();
    }

    private static Next next(String what) {
        return new Next(what, in(3), false);
    }

    @Test
    void nobodyCancelsWhatMayBePublished() {
        assertThat(owned(RunState.PUBLISHING, Kind.PUBLISH_RUN)
                        .lease(ago(2))
                        .finding(FindingCode.STEP_LOST)
                        .actions())
                .containsExactly(new Action("Find out what happened to host-1:42", null));
    }
}
