package io.weir.core.explain;

import static io.weir.core.explain.Lines.assertLines;
import static io.weir.core.explain.Scene.ago;
import static io.weir.core.explain.Scene.in;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;

/** Worker processes that are missing, and sweeps that do not come. */
class WorkerRulesTest {
    @Test
    void partitionsWaitForAWorkerProcess() {
        Scene scene = Scene.of(RunState.EXTRACTING)
                .worker("host-1:42", "shop", 8, 0, 240)
                .worker("host-2:7", "shop", 8, 0, 300)
                .partition(PartitionState.PENDING)
                .partition(PartitionState.PENDING);
        assertThat(scene.codes()).containsExactly(FindingCode.NO_WORKER);
        assertLines(
                scene.finding(FindingCode.NO_WORKER),
                "ACT   No worker process is alive: the last sign came from host-1:42, 4 min ago.",
                "since: 4 min ago",
                "waits: 2 partitions",
                "next: it goes on once a worker process runs",
                "do: Start a worker process: weir worker JOB.YAML");
    }

    @Test
    void aStepWaitsForAWorkerProcess() {
        Scene scene = Scene.of(RunState.EXTRACTED_VALIDATED)
                .dispatch(Kind.VALIDATE_RUN, DispatchState.PENDING);
        assertThat(scene.codes()).containsExactly(FindingCode.NO_WORKER, FindingCode.STEP_DUE);
        assertLines(
                scene.finding(FindingCode.NO_WORKER),
                "ACT   No worker process is alive: none gave a sign within the last hour.",
                "waits: VALIDATE_RUN",
                "next: it goes on once a worker process runs",
                "do: Start a worker process: weir worker JOB.YAML");
    }

    @Test
    void theEndOfALeaseWaitsForAWorkerProcess() {
        Scene scene = Scene.of(RunState.CREATED).lease(ago(1));
        assertThat(scene.finding(FindingCode.NO_WORKER).evidence())
                .containsExactly(new Evidence("waits", "the sweep", null));
        assertThat(scene.finding(FindingCode.COORDINATOR_LOST).next())
                .isEqualTo(new Next(
                        "the run ends as TIMED_OUT, once a worker process runs", null, false));
    }

    @Test
    void nobodyIsMissedWhileSomebodyWorks() {
        assertThat(Scene.of(RunState.CREATED).codes()).containsExactly(FindingCode.PLANNING);
        assertThat(Scene.of(RunState.STAGE_VALIDATING).owner("w").codes())
                .containsExactly(FindingCode.AUDITING);
        assertThat(Scene.of(RunState.SUCCESS).codes()).containsExactly(FindingCode.SUCCESS);
    }

    @Test
    void aSignIsFreshForAWhile() {
        Scene fresh = Scene.of(RunState.EXTRACTING)
                .worker("w", "shop", 8, 0, 20)
                .partition(PartitionState.PENDING);
        assertThat(fresh.codes()).containsExactly(FindingCode.PARTITIONS_WAIT);
        Scene old = Scene.of(RunState.EXTRACTING)
                .worker("w", "shop", 8, 0, 21)
                .partition(PartitionState.PENDING);
        assertThat(old.codes()).containsExactly(FindingCode.NO_WORKER);
    }

    @Test
    void aSweepThatDoesNotComeIsSaid() {
        Scene scene = Scene.of(RunState.CREATED).lease(ago(60)).worker(4, 0);
        assertThat(scene.codes())
                .containsExactly(FindingCode.SWEEP_OVERDUE, FindingCode.COORDINATOR_LOST);
        assertLines(
                scene.finding(FindingCode.SWEEP_OVERDUE),
                "ACT   A sweep was due 55 s ago and changed nothing, though 1 worker process is"
                        + " alive.",
                "since: 55 s ago",
                "next: the sweep, overdue: 55 s ago",
                "do: Look for the reason in the logs of the worker processes",
                "do: Check ledger and tables: weir fsck");
        assertThat(Scene.of(RunState.CREATED).lease(ago(20)).worker(4, 0).codes())
                .containsExactly(FindingCode.COORDINATOR_LOST);
        assertThat(Scene.of(RunState.CREATED).lease(ago(21)).worker(4, 0).codes())
                .contains(FindingCode.SWEEP_OVERDUE);
    }

    @Test
    void aProcessThatJustStartedDeclaresNothingLost() {
        Scene scene = Scene.of(RunState.CREATED).lease(ago(600)).worker("w", "shop", 4, 0, 10, 3);
        assertThat(scene.codes()).containsExactly(FindingCode.COORDINATOR_LOST);
        assertThat(scene.finding(FindingCode.COORDINATOR_LOST).next())
                .isEqualTo(new Next("the run ends as TIMED_OUT", in(25), false));
    }

    @Test
    void whateverIsOverWaitsForTheSweep() {
        Scene claim =
                Scene.of(RunState.EXTRACTING).partition(PartitionState.RUNNING, 1, ago(60), 90, 10);
        Scene snapshot = Scene.of(RunState.EXTRACTING)
                .noHolder()
                .holder("worker-1", ago(60))
                .partition(PartitionState.PENDING);
        Scene silence = Scene.of(RunState.EXTRACTED_VALIDATED)
                .dispatch(Kind.VALIDATE_RUN, 1, DispatchState.SENT, 1, ago(180), null);
        Scene deadline = Scene.of(RunState.STAGE_VALIDATING).owner("w").deadline(ago(60));
        Scene step = Scene.of(RunState.PUBLISHING).owner("w").lease(ago(60));
        Scene cut = Scene.of(RunState.STAGE_VALIDATING)
                .owner("w")
                .cut(
                        2,
                        Scene.of(RunState.FAILED_EXTRACT)
                                .run(Scene.OTHER, "lake.items")
                                .ended(60));
        for (Scene scene : new Scene[] {claim, snapshot, silence, deadline, step, cut}) {
            assertThat(scene.worker(4, 0).finding(FindingCode.SWEEP_OVERDUE).since())
                    .isEqualTo(ago(55));
        }
    }
}
