package io.weir.core.explain;

import static io.weir.core.explain.Lines.assertLines;
import static io.weir.core.explain.Scene.OTHER;
import static io.weir.core.explain.Scene.RUN;
import static io.weir.core.explain.Scene.ago;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.publish.AttemptState;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;

/** Targets that are taken, outcomes that nobody knows. */
class PublishRulesTest {
    private static Scene audited() {
        return Scene.of(RunState.STAGING_VALIDATED)
                .worker(4, 0)
                .dispatch(Kind.PUBLISH_RUN, DispatchState.PENDING);
    }

    @Test
    void anotherRunPublishesToTheTarget() {
        Scene scene = audited().blocking(AttemptState.OPEN, null);
        assertThat(scene.codes()).containsExactly(FindingCode.STEP_DUE, FindingCode.TARGET_BUSY);
        assertLines(
                scene.finding(FindingCode.TARGET_BUSY),
                "WAIT  Target lake.orders is taken: run " + OTHER + " publishes to it.",
                "attempt: 41",
                "state: OPEN",
                "next: this run is published once that attempt is settled",
                "do: Look at run " + OTHER + ": weir show " + OTHER);
    }

    @Test
    void nobodyKnowsWhetherAnotherRunIsPublished() {
        assertLines(
                audited()
                        .blocking(AttemptState.UNKNOWN, "no reply")
                        .finding(FindingCode.TARGET_BUSY),
                "WAIT  Target lake.orders is taken: nobody knows whether run " + OTHER
                        + " is published to it.",
                "attempt: 41",
                "state: UNKNOWN",
                "evidence: no reply",
                "next: this run is published once that attempt is settled",
                "do: Find out now whether it is published: weir resolve " + OTHER,
                "do: Look at run " + OTHER + ": weir show " + OTHER);
    }

    @Test
    void aSettledAttemptBlocksNobody() {
        for (AttemptState state : AttemptState.values()) {
            boolean blocks = state == AttemptState.OPEN || state == AttemptState.UNKNOWN;
            assertThat(audited().blocking(state, null).codes().contains(FindingCode.TARGET_BUSY))
                    .isEqualTo(blocks);
        }
        assertThat(Scene.of(RunState.PUBLISHING)
                        .owner("w")
                        .blocking(AttemptState.OPEN, null)
                        .codes())
                .containsExactly(FindingCode.PUBLISHING);
    }

    @Test
    void nobodyKnowsWhetherTheRunIsPublished() {
        Scene scene = Scene.of(RunState.PUBLISH_UNKNOWN)
                .worker(4, 0)
                .attempt(AttemptState.UNKNOWN, "connection reset")
                .failure("PUBLISH", "TABLE_COMMIT_UNKNOWN", "connection reset by peer")
                .dispatch(Kind.RESOLVE_RUN, DispatchState.PENDING);
        assertThat(scene.codes())
                .containsExactly(FindingCode.PUBLISH_UNKNOWN, FindingCode.STEP_DUE);
        assertLines(
                scene.finding(FindingCode.PUBLISH_UNKNOWN),
                "WARN  Nobody knows whether the run is published to lake.orders.",
                "since: 30 s ago",
                "attempt: 41",
                "evidence: connection reset",
                "reason: connection reset by peer",
                "next: a worker process fences the target, reads it and concludes; until then no"
                        + " other run is published to it",
                "do: Find out now whether it is published: weir resolve " + RUN);
        assertThat(scene.dispatch(Kind.RESOLVE_RUN, 2, DispatchState.PENDING, 0, ago(1), null)
                        .finding(FindingCode.PUBLISH_UNKNOWN)
                        .since())
                .isNull();
    }
}
