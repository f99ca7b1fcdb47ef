package io.weir.ledger;

import static io.weir.ledger.RunsTest.assertCode;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

class ClaimsTest {
    private static final PartitionId FIRST = PartitionId.ofIndex(0);

    private final Ledger ledger = TestBooks.ledger();

    @Test
    void handsOutAuthoritativeOrdersInSplitOrder() {
        RunScript script = RunScript.extracting(2);
        UUID token = UUID.randomUUID();

        WorkOrder order = ledger.claimNext(script.id, token, "w1").orElseThrow();

        assertThat(order.claim()).isEqualTo(new Claim(script.id, FIRST, token, 1));
        assertThat(order.lease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(order.sourceTable()).isEqualTo("public.orders");
        assertThat(order.snapshot()).isEqualTo(RunScript.manifest(2).snapshot());
        assertThat(order.range()).isEqualTo(RunScript.manifest(2).parts().get(0).range());
        assertThat(order.columns()).containsExactly("id", "amount", "note");
        assertThat(order.path()).isEqualTo(script.run().dataPath() + "/p=0000/e=1/");
        assertThat(script.claim().claim().partitionId()).isEqualTo(PartitionId.ofIndex(1));
        assertThat(ledger.claimNext(script.id, UUID.randomUUID(), "w")).isEmpty();
    }

    @Test
    void answersTheSameTokenWithTheSameOrder() {
        RunScript script = RunScript.extracting(2);
        UUID token = UUID.randomUUID();
        WorkOrder order = ledger.claimNext(script.id, token, "w1").orElseThrow();
        int events = ledger.events(script.id).size();

        assertThat(ledger.claimNext(script.id, token, "w1")).contains(order);
        assertThat(ledger.claim(script.id, FIRST, token, "w1")).contains(order);
        assertThat(ledger.events(script.id)).hasSize(events);
        script.complete(order);
        assertThat(ledger.claimNext(script.id, token, "w1")).isEmpty();
    }

    @Test
    void claimsByNameOnlyWhatNobodyHolds() {
        RunScript script = RunScript.extracting(2);
        PartitionId second = PartitionId.ofIndex(1);
        UUID token = UUID.randomUUID();

        assertThat(ledger.claim(script.id, second, token, "w1")).isPresent();
        assertThat(ledger.claim(script.id, second, UUID.randomUUID(), "w2")).isEmpty();
        assertCode(
                        () -> ledger.claim(
                                script.id, PartitionId.ofIndex(7), UUID.randomUUID(), "w"),
                        ErrorCode.PARTITION_NOT_FOUND)
                .isEqualTo("Cannot find partition 0007 of run " + script.id
                        + ": the run has no such partition");
    }

    @Test
    void leavesAClaimToItsWorkerUntilTheSweeperGivesItBack() {
        try (OwnBooks books = OwnBooks.open()) {
            RunScript script = books.created().register(1).hold();
            WorkOrder order = script.claim();
            books.endClaims(script);

            assertThat(books.ledger.claimNext(script.id, UUID.randomUUID(), "w2"))
                    .isEmpty();
            assertThat(books.ledger.claim(script.id, FIRST, UUID.randomUUID(), "w2"))
                    .isEmpty();
            // Slow, not lost: nobody has taken the partition from it.
            books.ledger.heartbeat(order.claim(), new Progress(1, 1));
            assertThat(books.sweep(script)).isEmpty();
            assertThat(script.complete(order).runState()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        }
    }

    @Test
    void fencesAClaimThatWasGivenBack() {
        try (OwnBooks books = OwnBooks.open()) {
            RunScript script = books.created().register(1).hold();
            Ledger own = books.ledger;
            WorkOrder lost = script.claim();
            own.reportChunks(lost.claim(), List.of(RunScript.chunk(0, 4, false)));
            books.endClaims(script);
            assertThat(books.sweep(script)).containsExactly("partition_reissued");
            assertThatClaimIsLost(own, lost, ": nobody holds a claim (state=RETRY)");

            WorkOrder order = script.claim();

            assertThat(order.claim().epoch()).isEqualTo(2);
            assertThat(order.path()).endsWith("/p=0000/e=2/");
            assertThat(own.detail(script.id).partitions().get(0).chunkCount()).isZero();
            assertThat(own.detail(script.id).chunks()).isEmpty();
            assertThatClaimIsLost(own, lost, ": another claim holds it (epoch=1, current=2)");
            assertThat(books.texts(
                            "select state from weir.chunk where run_id = ?", script.id.value()))
                    .containsExactly(ChunkState.FAILED.name());
        }
    }

    private static void assertThatClaimIsLost(Ledger ledger, WorkOrder lost, String reason) {
        String partition = " partition 0000 of run " + lost.claim().runId();
        assertCode(
                        () -> ledger.reportChunks(
                                lost.claim(), List.of(RunScript.chunk(1, 6, true))),
                        ErrorCode.CLAIM_MISMATCH)
                .isEqualTo("Cannot report chunks of" + partition + reason);
        assertCode(
                        () -> ledger.heartbeat(lost.claim(), new Progress(1, 1)),
                        ErrorCode.CLAIM_MISMATCH)
                .startsWith("Cannot prolong the claim of" + partition);
        assertCode(
                        () -> ledger.failPartition(lost.claim(), new Failure("EXTRACT", "X", "x")),
                        ErrorCode.CLAIM_MISMATCH)
                .startsWith("Cannot fail" + partition);
    }

    @Test
    void heartbeatsProlongTheClaimAndCarryProgress() {
        RunScript script = RunScript.extracting(1);
        WorkOrder order = script.claim();
        TestBooks.endLease("partition", "run_id", script.id.value());

        ledger.heartbeat(order.claim(), new Progress(7, 700));

        assertThat(ledger.claimNext(script.id, UUID.randomUUID(), "w2")).isEmpty();
        Partition partition = ledger.detail(script.id).partitions().get(0);
        assertThat(partition.progressRows()).isEqualTo(7);
        assertThat(partition.progressBytes()).isEqualTo(700);
        assertThat(partition.version()).isEqualTo(1);
    }

    @Test
    void heartbeatsOfACompletePartitionAreNoError() {
        RunScript script = RunScript.extracting(2);
        WorkOrder order = script.claim();
        script.complete(order);

        ledger.heartbeat(order.claim(), new Progress(10, 100));

        assertThat(ledger.detail(script.id).partitions().get(0).state())
                .isEqualTo(PartitionState.SUCCESS);
    }

    @Test
    void aFailedPartitionFailsTheRunAndClosesTheOthers() {
        RunScript script = RunScript.extracting(2);
        WorkOrder order = script.claim();
        Failure failure = new Failure("EXTRACT", "SOURCE_SNAPSHOT_EXPIRED", "too old");

        Run run = ledger.failPartition(order.claim(), failure);

        assertThat(run.state()).isEqualTo(RunState.FAILED_SNAPSHOT_EXPIRED);
        assertThat(run.failure()).isEqualTo(failure);
        assertThat(ledger.failPartition(order.claim(), failure)).isEqualTo(run);
        assertThat(ledger.detail(script.id).partitions())
                .extracting("state")
                .containsExactly(PartitionState.FAILED, PartitionState.TIMED_OUT);
        assertThat(ledger.claimNext(script.id, UUID.randomUUID(), "w")).isEmpty();
        assertCode(
                        () -> ledger.heartbeat(order.claim(), new Progress(0, 0)),
                        ErrorCode.CLAIM_MISMATCH)
                .endsWith("it ended (state=FAILED)");
    }

    @Test
    void otherFailuresAreFailedExtract() {
        RunScript script = RunScript.extracting(1);

        Run run = ledger.failPartition(
                script.claim().claim(), new Failure("EXTRACT", "SOURCE_CONNECTION_LOST", "cut"));

        assertThat(run.state()).isEqualTo(RunState.FAILED_EXTRACT);
    }

    @RepeatedTest(3)
    void twelveClaimsOfOnePartitionHaveOneOwner() throws Exception {
        RunScript script = RunScript.extracting(1);
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            calls.add(
                    () -> ledger.claim(script.id, FIRST, UUID.randomUUID(), "w").isPresent());
        }

        assertThat(AtOnce.call(calls)).filteredOn(owner -> owner).hasSize(1);
        assertThat(ledger.detail(script.id).partitions().get(0).epoch()).isEqualTo(1);
    }

    @Test
    void workersAtOnceGetDifferentPartitions() throws Exception {
        RunScript script = RunScript.extracting(12);
        List<Callable<PartitionId>> calls = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            calls.add(() -> script.claim().claim().partitionId());
        }

        assertThat(AtOnce.call(calls)).doesNotHaveDuplicates().hasSize(12);
    }

    @RepeatedTest(3)
    void oneTokenSentManyTimesAtOnceOwnsOnePartition() throws Exception {
        RunScript script = RunScript.extracting(8);
        UUID token = UUID.randomUUID();
        List<Callable<WorkOrder>> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            calls.add(() -> ledger.claimNext(script.id, token, "w").orElseThrow());
        }

        assertThat(AtOnce.call(calls).stream().distinct()).hasSize(1);
        assertThat(ledger.detail(script.id).partitions())
                .filteredOn(partition -> partition.state() == PartitionState.RUNNING)
                .hasSize(1);
    }
}
