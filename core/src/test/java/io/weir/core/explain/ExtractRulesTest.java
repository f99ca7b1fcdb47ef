package io.weir.core.explain;

import static io.weir.core.explain.Lines.assertLines;
import static io.weir.core.explain.Scene.RUN;
import static io.weir.core.explain.Scene.ago;
import static io.weir.core.explain.Scene.in;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.PartitionState;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;

/** What is read, and what waits to be. */
class ExtractRulesTest {
    private static Scene extracting() {
        return Scene.of(RunState.EXTRACTING);
    }

    @Test
    void saysHowFarTheReadingCame() {
        Scene scene = extracting()
                .worker(2, 2)
                .partition(PartitionState.SUCCESS, 1, in(25), 50, 300)
                .partition(PartitionState.RUNNING, 1, in(25), 40, 100)
                .partition(PartitionState.RUNNING, 1, in(25), 40, 100);
        assertThat(scene.codes()).containsExactly(FindingCode.READING);
        assertLines(
                scene.finding(FindingCode.READING),
                "INFO  2 of 3 partitions are being read; 1 is done.",
                "since: 50 s ago",
                "rows: 500 of 1,000",
                "time left at the average rate so far: about 50 s",
                "workers: worker-2, worker-3",
                "next: the last partition moves the run to EXTRACTED_VALIDATED",
                "do: Cancel the run: weir cancel " + RUN + " --reason TEXT");
    }

    @Test
    void saysNothingOfTheTimeLeftThatItCannotKnow() {
        String label = "time left at the average rate so far";
        Scene young = extracting().partition(PartitionState.RUNNING, 1, in(25), 9, 100);
        Scene noRow = extracting().partition(PartitionState.RUNNING, 1, in(25), 40, 0);
        Scene all = extracting().partition(PartitionState.RUNNING, 1, in(25), 40, 1_000);
        Scene unknown = extracting()
                .sourceCount(null)
                .partition(PartitionState.RUNNING, 1, in(25), 40, 100);
        Scene known = extracting().partition(PartitionState.RUNNING, 1, in(25), 10, 100);
        for (Scene scene : new Scene[] {young, noRow, all, unknown}) {
            assertThat(scene.finding(FindingCode.READING).evidence())
                    .extracting(Evidence::label)
                    .doesNotContain(label);
        }
        assertThat(known.finding(FindingCode.READING).evidence())
                .contains(new Evidence(label, "about 1 min", null));
        assertThat(unknown.finding(FindingCode.READING).evidence())
                .contains(new Evidence("rows", "100", null));
    }

    @Test
    void rowsOfALostClaimDoNotCount() {
        Scene scene = extracting()
                .worker(2, 1)
                .partition(PartitionState.RUNNING, 1, in(25), 40, 100)
                .partition(PartitionState.RUNNING, 1, ago(1), 40, 70)
                .partition(PartitionState.RETRY, 1, in(25), 40, 70);
        assertThat(scene.finding(FindingCode.READING).evidence())
                .contains(new Evidence("rows", "100 of 1,000", null));
    }

    @Test
    void partitionsWaitForAFreeSlot() {
        assertLines(
                extracting()
                        .worker(1, 1)
                        .worker("host-2:7", "shop", 1, 1, 2)
                        .worker("host-3:7", "other", 4, 0, 2)
                        .worker("host-4:7", "shop", 4, 0, 21)
                        .partition(PartitionState.RUNNING)
                        .partition(PartitionState.RUNNING)
                        .partition(PartitionState.PENDING)
                        .partition(PartitionState.PENDING)
                        .finding(FindingCode.WORKERS_BUSY),
                "WAIT  2 of 4 partitions wait for a free slot; all 2 are in use.",
                "worker processes: 2",
                "next: the next free slot takes one",
                "do: Start another worker process: weir worker JOB.YAML");
    }

    @Test
    void aPartitionWaitsForTheOnlySlot() {
        assertThat(extracting()
                        .worker(1, 1)
                        .partition(PartitionState.PENDING)
                        .finding(FindingCode.WORKERS_BUSY)
                        .cause())
                .isEqualTo("1 of 1 partition waits for a free slot; the only one is in use.");
    }

    @Test
    void partitionsWaitToBeClaimed() {
        assertLines(
                extracting()
                        .worker(8, 7)
                        .partition(PartitionState.PENDING)
                        .finding(FindingCode.PARTITIONS_WAIT),
                "WAIT  1 of 1 partition waits to be claimed; 1 of 8 slots is free.",
                "next: a worker process with a free slot claims one");
    }

    @Test
    void aReaderWithoutASignStillReads() {
        Scene scene = extracting()
                .partition(PartitionState.RUNNING)
                .partition(PartitionState.PENDING)
                .partition(PartitionState.PENDING);
        assertThat(scene.codes()).containsExactly(FindingCode.PARTITIONS_WAIT, FindingCode.READING);
        assertLines(
                scene.finding(FindingCode.PARTITIONS_WAIT),
                "WAIT  2 of 3 partitions wait to be claimed; 1 is being read.",
                "next: a worker process with a free slot claims one");
    }

    @Test
    void noLiveWorkerReadsTheSource() {
        assertLines(
                extracting()
                        .worker("host-1:42", "other", 4, 0, 3)
                        .worker("host-2:7", "shop", 0, 0, 3)
                        .partition(PartitionState.PENDING)
                        .partition(PartitionState.PENDING)
                        .finding(FindingCode.NO_WORKER_FOR_SOURCE),
                "ACT   2 of 2 partitions wait, and no live worker process reads source shop.",
                "live worker processes: 2",
                "host-1:42: reads other, slots 4",
                "host-2:7: reads shop, slots 0",
                "next: they are claimed once a worker process reads shop",
                "do: Start a worker process whose job file has source shop: weir worker JOB.YAML");
    }

    @Test
    void nobodyHoldsTheSnapshotAnyMore() {
        Scene scene = extracting()
                .noHolder()
                .holder("worker-1", ago(4))
                .holder("worker-2", ago(2))
                .worker(4, 4)
                .partition(PartitionState.RUNNING)
                .partition(PartitionState.PENDING);
        assertLines(
                scene.finding(FindingCode.SNAPSHOT_LOST),
                "WARN  Nobody holds the snapshot of the run, and 1 of 2 partitions is still to be"
                        + " claimed; the last one, worker-2, was lost 2 s ago.",
                "since: 2 s ago",
                "next: the run ends as FAILED_SNAPSHOT_EXPIRED, in 3 s",
                "do: Load again once the run has ended: weir load JOB.YAML");
    }

    @Test
    void nobodyEverHeldTheSnapshot() {
        assertLines(
                extracting()
                        .noHolder()
                        .partition(PartitionState.PENDING)
                        .partition(PartitionState.RETRY)
                        .finding(FindingCode.SNAPSHOT_LOST),
                "WARN  Nobody holds the snapshot of the run, and 2 of 2 partitions are still to be"
                        + " claimed.",
                "next: the run ends as FAILED_SNAPSHOT_EXPIRED, once a worker process runs",
                "do: Load again once the run has ended: weir load JOB.YAML");
    }

    @Test
    void theSnapshotIsNotMissedOnceEverythingIsClaimed() {
        assertThat(extracting().noHolder().partition(PartitionState.RUNNING).codes())
                .containsExactly(FindingCode.READING);
    }
}
