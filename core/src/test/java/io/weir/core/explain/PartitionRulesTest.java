package io.weir.core.explain;

import static io.weir.core.explain.Lines.assertLines;
import static io.weir.core.explain.Scene.RUN;
import static io.weir.core.explain.Scene.ago;
import static io.weir.core.explain.Scene.in;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;

/** Workers that give no sign or no row. */
class PartitionRulesTest {
    private static Scene extracting() {
        return Scene.of(RunState.EXTRACTING).worker(8, 1);
    }

    @Test
    void aLostPartitionIsReadAgain() {
        assertLines(
                extracting()
                        .partition(PartitionState.RUNNING, 4, ago(2), 40, 10)
                        .finding(FindingCode.PARTITION_LOST),
                "WARN  Partition 0000 is lost: worker-1 gave no sign since its lease ended 2 s"
                        + " ago.",
                "since: 2 s ago",
                "partition 0000: claim 4 of at most 5, by worker-1",
                "next: it is given back, to be read again at the same snapshot, in 3 s",
                "do: Find out what happened to worker-1");
    }

    @Test
    void aPartitionIsLostForTheLastTime() {
        assertThat(extracting()
                        .partition(PartitionState.RUNNING, 5, ago(2), 40, 10)
                        .finding(FindingCode.PARTITION_LOST)
                        .next())
                .isEqualTo(new Next(
                        "the run ends as FAILED_EXTRACT, because a partition is claimed 5 times at"
                                + " most",
                        in(3),
                        false));
    }

    @Test
    void aLostPartitionEndsARunThatDoesNotReadAgain() {
        assertLines(
                extracting()
                        .recovery(RecoveryMode.FAIL)
                        .partition(PartitionState.RUNNING, 1, ago(6), 40, 10)
                        .finding(FindingCode.PARTITION_LOST),
                "WARN  Partition 0000 is lost: worker-1 gave no sign since its lease ended 6 s"
                        + " ago.",
                "since: 6 s ago",
                "partition 0000: claim 1, by worker-1",
                "next: the run ends as TIMED_OUT, because its recovery is FAIL, overdue: 1 s ago",
                "do: Find out what happened to worker-1");
    }

    @Test
    void aLostPartitionCannotBeReadAgainWithoutItsSnapshot() {
        assertThat(extracting()
                        .noHolder()
                        .partition(PartitionState.RUNNING, 1, ago(2), 40, 10)
                        .finding(FindingCode.PARTITION_LOST)
                        .next())
                .isEqualTo(new Next(
                        "the run ends as FAILED_SNAPSHOT_EXPIRED, because nobody holds the"
                                + " snapshot",
                        in(3),
                        false));
    }

    @Test
    void manyLostPartitionsAreOneFindingForEachFate() {
        Scene scene = extracting();
        for (int i = 0; i < 6; i++) {
            scene.partition(PartitionState.RUNNING, 1, ago(1 + i % 3), 40, 10);
        }
        scene.partition(PartitionState.RUNNING, 5, ago(4), 40, 10);
        assertThat(scene.explained().findings())
                .extracting(Finding::cause)
                .contains(
                        "Partition 0006 is lost: worker-7 gave no sign since its lease ended 4 s"
                                + " ago.",
                        "6 partitions are lost (0002, 0005, 0001 and 3 more): the first lease ended"
                                + " 3 s ago.");
        Finding many = scene.explained().findings().get(1);
        assertThat(many.evidence()).hasSize(5);
        assertThat(many.next())
                .isEqualTo(new Next(
                        "they are given back, to be read again at the same snapshot",
                        in(2),
                        false));
    }

    @Test
    void halfALeaseWithoutASignIsSaid() {
        assertLines(
                extracting()
                        .partition(PartitionState.RUNNING, 1, in(14), 40, 10)
                        .finding(FindingCode.PARTITION_SILENT),
                "WARN  Partition 0000: no sign of worker-1 for 16 s; its lease ends in 14 s.",
                "since: 16 s ago",
                "partition 0000: claim 1 of at most 5, by worker-1",
                "next: without a sign, it is given back, to be read again at the same snapshot,"
                        + " in 19 s",
                "do: Wait, or look at worker-1");
        assertThat(extracting()
                        .partition(PartitionState.RUNNING, 1, in(15), 40, 10)
                        .codes())
                .containsExactly(FindingCode.READING);
    }

    @Test
    void manySilentPartitionsAreOneFinding() {
        assertThat(extracting()
                        .partition(PartitionState.RUNNING, 1, in(14), 40, 10)
                        .partition(PartitionState.RUNNING, 1, in(4), 40, 10)
                        .finding(FindingCode.PARTITION_SILENT)
                        .cause())
                .isEqualTo("2 partitions (0001, 0000): no sign of their workers for up to 26 s;"
                        + " the first lease ends in 4 s.");
    }

    @Test
    void aWorkerThatSendsNoRowIsSaid() {
        assertLines(
                extracting()
                        .partition(PartitionState.RUNNING, 1, in(25), 660, 0)
                        .finding(FindingCode.NO_ROW_YET),
                "WARN  Partition 0000: worker-1 is alive, but sent no row since its claim 11 min"
                        + " ago.",
                "since: 11 min ago",
                "partition 0000: claim 1 of at most 5, by worker-1",
                "next: the run ends as TIMED_OUT unless rows come, in 2 h",
                "do: Look for a lock or a slow query on shop.orders at source shop",
                "do: Cancel the run: weir cancel " + RUN + " --reason TEXT");
        assertThat(extracting()
                        .partition(PartitionState.RUNNING, 1, in(25), 660, 1)
                        .partition(PartitionState.RUNNING, 1, in(25), 60, 0)
                        .codes())
                .containsExactly(FindingCode.READING);
    }

    @Test
    void manyWorkersThatSendNoRowAreOneFinding() {
        assertThat(extracting()
                        .partition(PartitionState.RUNNING, 1, in(25), 61, 0)
                        .partition(PartitionState.RUNNING, 1, in(25), 120, 0)
                        .finding(FindingCode.NO_ROW_YET)
                        .cause())
                .isEqualTo("2 partitions (0001, 0000): their workers are alive, but sent no row"
                        + " since their claims, the first 2 min ago.");
    }

    @Test
    void aPartitionThatWasGivenBackWaits() {
        Scene scene = extracting().partition(PartitionState.RETRY, 2, in(25), 40, 10);
        assertThat(scene.codes())
                .containsExactly(FindingCode.PARTITIONS_GIVEN_BACK, FindingCode.PARTITIONS_WAIT);
        assertLines(
                scene.finding(FindingCode.PARTITIONS_GIVEN_BACK),
                "WAIT  Partition 0000 was lost by worker-1 and waits to be read again.",
                "partition 0000: claim 2 of at most 5, by worker-1",
                "next: the next claim reads from the start, at the same snapshot");
        assertThat(scene.partition(PartitionState.RETRY)
                        .finding(FindingCode.PARTITIONS_GIVEN_BACK)
                        .cause())
                .isEqualTo("2 partitions (0000, 0001) were lost by their workers and wait to be"
                        + " read again.");
    }
}
