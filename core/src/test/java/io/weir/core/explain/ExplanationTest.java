package io.weir.core.explain;

import static io.weir.core.explain.Scene.RUN;
import static io.weir.core.explain.Scene.ago;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.json.Json;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The two forms of an explanation. */
class ExplanationTest {
    private static Explanation explanation() {
        return Scene.of(RunState.STAGE_VALIDATING)
                .worker(4, 0)
                .owner("host-1:42")
                .lease(ago(12))
                .dispatch(Kind.VALIDATE_RUN, DispatchState.ACKED)
                .deadline(Scene.in(66))
                .explained();
    }

    @Test
    void programsReadADocument() {
        assertThat(Json.pretty(explanation().json()).lines())
                .containsExactlyElementsOf(
                        """
                        {
                          "run" : "01900000-0000-7000-8000-000000000001",
                          "state" : "STAGE_VALIDATING",
                          "at" : "2026-11-30T12:00:00Z",
                          "findings" : [ {
                            "code" : "STEP_LOST",
                            "severity" : "WARN",
                            "since" : "2026-11-30T11:59:48Z",
                            "cause" : "host-1:42 gave no sign since its lease ended 12 s ago.",
                            "evidence" : [ {
                              "label" : "step",
                              "value" : "VALIDATE_RUN"
                            }, {
                              "label" : "cycle",
                              "value" : "1"
                            } ],
                            "next" : {
                              "what" : "VALIDATE_RUN is asked for again",
                              "at" : "2026-11-30T11:59:53Z",
                              "overdue" : true
                            },
                            "actions" : [ {
                              "text" : "Find out what happened to host-1:42",
                              "command" : null
                            }, {
                              "text" : "Cancel the run",
                              "command" : "weir cancel RUN --reason TEXT"
                            } ]
                          }, {
                            "code" : "DEADLINE_NEAR",
                            "severity" : "WARN",
                            "since" : "2026-11-30T11:59:59.400Z",
                            "cause" : "Only 1 min of 11 min are left to publish the run.",
                            "evidence" : [ {
                              "label" : "deadline",
                              "value" : "2026-11-30T12:01:06Z"
                            } ],
                            "next" : {
                              "what" : "THEN",
                              "at" : "2026-11-30T12:01:11Z",
                              "overdue" : false
                            },
                            "actions" : [ ]
                          } ]
                        }
                        """.replace("RUN --", RUN + " --").replace(
                                "THEN",
                                "the run ends as TIMED_OUT unless it is being published by"
                                        + " then").lines().toList());
    }

    @Test
    void whereThereIsNothingToSayTheDocumentSaysNull() {
        Finding finding = Scene.of(RunState.EXTRACTED_VALIDATED).finding(FindingCode.UNEXPLAINED);
        Explanation alone =
                new Explanation(RUN, RunState.EXTRACTED_VALIDATED, Scene.NOW, List.of(finding));
        assertThat(Json.line(alone.json())).contains("\"since\":null,").contains("\"next\":null,");
    }

    @Test
    void peopleReadLines() {
        assertThat(ExplanationText.of(explanation()))
                .containsExactly(
                        "Run " + RUN + " is STAGE_VALIDATING.",
                        "WARN  host-1:42 gave no sign since its lease ended 12 s ago.",
                        "      since: 12 s ago",
                        "      step: VALIDATE_RUN",
                        "      cycle: 1",
                        "      next: VALIDATE_RUN is asked for again, overdue: 7 s ago",
                        "      do: Find out what happened to host-1:42",
                        "      do: Cancel the run: weir cancel " + RUN + " --reason TEXT",
                        "WARN  Only 1 min of 11 min are left to publish the run.",
                        "      since: now",
                        "      deadline: in 1 min",
                        "      next: the run ends as TIMED_OUT unless it is being published by"
                                + " then, in 1 min");
    }

    @Test
    void listsShowTheWorstCause() {
        assertThat(explanation().summary())
                .isEqualTo("host-1:42 gave no sign since its lease ended 12 s ago.");
    }

    @Test
    void whatNoRuleExplainsIsSaid() {
        Scene scene = Scene.of(RunState.EXTRACTED_VALIDATED)
                .dispatch(Kind.VALIDATE_RUN, DispatchState.CANCELLED);
        assertThat(scene.codes()).containsExactly(FindingCode.UNEXPLAINED);
        Lines.assertLines(
                scene.finding(FindingCode.UNEXPLAINED),
                "ACT   No rule explains why the run is EXTRACTED_VALIDATED; this is a fault of"
                        + " Weir.",
                "owner: nobody",
                "dispatches: VALIDATE_RUN 1 CANCELLED",
                "lease: in 20 s",
                "deadline: in 2 h",
                "do: Check ledger and tables: weir fsck",
                "do: Look at run " + RUN + ": weir show " + RUN);
    }

    @Test
    void anUnknownOutcomeAloneExplainsNothing() {
        assertThat(Scene.of(RunState.PUBLISH_UNKNOWN)
                        .dispatch(Kind.RESOLVE_RUN, DispatchState.ACKED)
                        .codes())
                .containsExactly(FindingCode.UNEXPLAINED, FindingCode.PUBLISH_UNKNOWN);
    }

    @Test
    void anExplanationIsNeverEmpty() {
        assertThatThrownBy(() -> new Explanation(RUN, RunState.CREATED, Scene.NOW, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("An explanation has findings");
    }
}
