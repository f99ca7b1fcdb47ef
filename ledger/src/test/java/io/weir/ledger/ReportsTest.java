package io.weir.ledger;

import static io.weir.ledger.RunsTest.assertCode;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.ReportReply;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Failure;
import io.weir.core.run.Loss;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

class ReportsTest {
    private final Ledger ledger = TestBooks.ledger();

    @Test
    void theLastReportOfAllCompletesTheRunAndAsksForTheAudit() {
        RunScript script = RunScript.extracting(2);
        WorkOrder first = script.claim();
        WorkOrder second = script.claim();

        ReportReply halfway = script.complete(first);
        ReportReply part =
                ledger.reportChunks(second.claim(), List.of(RunScript.chunk(0, 4, false)));
        ReportReply end = ledger.reportChunks(second.claim(), List.of(RunScript.chunk(1, 6, true)));

        assertThat(halfway).isEqualTo(new ReportReply(PartitionState.SUCCESS, RunState.EXTRACTING));
        assertThat(part).isEqualTo(new ReportReply(PartitionState.RUNNING, RunState.EXTRACTING));
        assertThat(end)
                .isEqualTo(new ReportReply(PartitionState.SUCCESS, RunState.EXTRACTED_VALIDATED));
        RunDetail detail = ledger.detail(script.id);
        Run run = detail.run();
        Balance all = RunScript.balance(10).plus(RunScript.balance(4)).plus(RunScript.balance(6));
        assertThat(run.extracted()).isEqualTo(all);
        assertThat(run.extracted().rows()).isEqualTo(20);
        assertThat(run.losses()).containsExactly(new Loss("price", 3));
        assertThat(run.extractedAt()).isNotNull();
        assertThat(detail.dispatches()).hasSize(1);
        Dispatch dispatch = detail.dispatches().get(0);
        assertThat(dispatch.kind()).isEqualTo(Dispatch.Kind.VALIDATE_RUN);
        assertThat(dispatch.state()).isEqualTo(Dispatch.DispatchState.PENDING);
        assertThat(detail.chunks())
                .extracting(Chunk::path)
                .containsExactly(
                        run.dataPath() + "/p=0000/e=1/0000-000000.parquet",
                        run.dataPath() + "/p=0001/e=1/0001-000000.parquet",
                        run.dataPath() + "/p=0001/e=1/0001-000001.parquet");
        assertThat(detail.partitions().get(1).bytes()).isEqualTo(2010);
    }

    @Test
    void aPartitionMayArriveInOneCall() {
        RunScript script = RunScript.extracting(1);

        ReportReply reply = ledger.reportChunks(
                script.claim().claim(),
                List.of(
                        RunScript.chunk(0, 3, false),
                        RunScript.chunk(1, 3, false),
                        RunScript.chunk(2, 4, true)));

        assertThat(reply.runState()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        assertThat(ledger.detail(script.id).chunks())
                .extracting(Chunk::state)
                .containsExactly(ChunkState.WRITTEN, ChunkState.WRITTEN, ChunkState.WRITTEN);
    }

    @Test
    void waitsForAChunkThatIsOvertakenByTheLast() {
        RunScript script = RunScript.extracting(1);
        WorkOrder order = script.claim();

        ReportReply overtaken =
                ledger.reportChunks(order.claim(), List.of(RunScript.chunk(1, 6, true)));
        ReportReply complete =
                ledger.reportChunks(order.claim(), List.of(RunScript.chunk(0, 4, false)));

        assertThat(overtaken.partitionState()).isEqualTo(PartitionState.RUNNING);
        assertThat(complete.runState()).isEqualTo(RunState.EXTRACTED_VALIDATED);
    }

    @Test
    void answersTheSameReportAsBeforeAndCountsItOnce() {
        RunScript script = RunScript.extracting(1);
        WorkOrder order = script.claim();
        ChunkReport first = RunScript.chunk(0, 4, false);
        ChunkReport last = RunScript.chunk(1, 6, true);
        ReportReply running = ledger.reportChunks(order.claim(), List.of(first));
        assertThat(ledger.reportChunks(order.claim(), List.of(first))).isEqualTo(running);
        ReportReply end = ledger.reportChunks(order.claim(), List.of(last));
        int events = ledger.events(script.id).size();

        assertThat(ledger.reportChunks(order.claim(), List.of(last))).isEqualTo(end);
        assertThat(ledger.reportChunks(order.claim(), List.of(first, last))).isEqualTo(end);

        assertThat(ledger.events(script.id)).hasSize(events);
        assertThat(script.run().extracted().rows()).isEqualTo(10);
        assertThat(ledger.detail(script.id).dispatches()).hasSize(1);
    }

    @Test
    void refusesTheSameIndexWithOtherContent() {
        RunScript script = RunScript.extracting(1);
        WorkOrder order = script.claim();
        ledger.reportChunks(order.claim(), List.of(RunScript.chunk(0, 4, false)));

        assertCode(
                        () -> ledger.reportChunks(
                                order.claim(),
                                List.of(RunScript.chunk(1, 6, true), RunScript.chunk(0, 5, false))),
                        ErrorCode.CHUNK_CONFLICT)
                .isEqualTo("Cannot report chunks of partition 0000 of run " + script.id
                        + ": chunk 0 was reported with other content (before=1004 bytes "
                        + RunScript.balance(4) + " losses {\"price\":1}, now=1005 bytes "
                        + RunScript.balance(5) + " losses {\"price\":1})");
        assertThat(ledger.detail(script.id).chunks()).hasSize(1);
        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTING);
    }

    @Test
    void refusesAChunkAfterTheLast() {
        RunScript script = RunScript.extracting(1);
        WorkOrder order = script.claim();
        ledger.reportChunks(order.claim(), List.of(RunScript.chunk(1, 4, true)));

        assertCode(
                        () -> ledger.reportChunks(
                                order.claim(), List.of(RunScript.chunk(2, 6, false))),
                        ErrorCode.CHUNK_CONFLICT)
                .endsWith("chunk 1 is the last, yet there is another (index=2)");
    }

    @Test
    void failsPartitionAndRunWhenRowsAreMissing() {
        RunScript script = RunScript.extracting(2);
        WorkOrder order = script.claim();

        ReportReply reply =
                ledger.reportChunks(order.claim(), List.of(RunScript.chunk(0, 9, true)));

        Failure failure = new Failure(
                "EXTRACT",
                "ROW_COUNT_MISMATCH",
                "Cannot accept partition 0000 of run " + script.id
                        + ": other rows arrived than the split counted (expected=10,"
                        + " found=9)");
        assertThat(reply)
                .isEqualTo(new ReportReply(PartitionState.FAILED, RunState.FAILED_EXTRACT));
        RunDetail detail = ledger.detail(script.id);
        assertThat(detail.run().failure()).isEqualTo(failure);
        assertThat(detail.partitions())
                .extracting("state")
                .containsExactly(PartitionState.FAILED, PartitionState.TIMED_OUT);
        assertThat(detail.dispatches()).isEmpty();
    }

    @Test
    void failsTheRunWhenPartitionsDoNotAddUpToTheSource() {
        RunScript script = RunScript.created();
        ledger.registerManifest(script.id, RunScript.manifest(2, 21, null));
        script.complete(script.claim());

        ReportReply reply = script.complete(script.claim());

        assertThat(reply)
                .isEqualTo(new ReportReply(PartitionState.SUCCESS, RunState.FAILED_EXTRACT));
        assertThat(script.run().failure())
                .isEqualTo(new Failure(
                        "EXTRACT",
                        "ROW_COUNT_MISMATCH",
                        "Cannot accept run " + script.id
                                + ": its partitions do not add up to the source"
                                + " (expected=21, found=20)"));
        assertThat(ledger.detail(script.id).dispatches()).isEmpty();
    }

    @Test
    void aPartitionWithoutRowsHasOneChunkWithoutFile() {
        RunScript script = RunScript.created();
        ledger.registerManifest(script.id, RunScript.manifest(2, 10, null));
        script.complete(script.claim());

        ReportReply reply =
                ledger.reportChunks(script.claim().claim(), List.of(report(0, 0, 0, true)));

        assertThat(reply.runState()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        assertThat(ledger.detail(script.id).chunks())
                .extracting(Chunk::path)
                .containsExactly(script.run().dataPath() + "/p=0000/e=1/0000-000000.parquet", null);
    }

    @Test
    void recordsNothingAfterTheRunEnded() {
        RunScript script = RunScript.extracting(2);
        WorkOrder order = script.claim();
        ledger.failPartition(script.claim().claim(), new Failure("EXTRACT", "X", "x"));
        int events = ledger.events(script.id).size();

        ReportReply reply = script.complete(order);

        assertThat(reply)
                .isEqualTo(new ReportReply(PartitionState.TIMED_OUT, RunState.FAILED_EXTRACT));
        assertThat(ledger.detail(script.id).chunks()).isEmpty();
        assertThat(ledger.events(script.id)).hasSize(events);
    }

    @Test
    void refusesReportsThatCannotBeRight() {
        RunScript script = RunScript.extracting(1);
        WorkOrder order = script.claim();

        assertInvalid(order, report(-1, 1, 1, false), "the index is negative (index=-1)");
        assertInvalid(order, report(0, -1, 1, false), "the size is negative (bytes=-1)");
        assertInvalid(order, report(0, 1, -1, false), "the row count is negative (rows=-1)");
        assertInvalid(
                order,
                new ChunkReport(0, 1, new Balance(0, 0, 1), List.of(), false),
                "no rows have a digest sum (balance=0:00000000000000000000000000000001)");
        assertInvalid(
                order,
                new ChunkReport(0, 1, Balance.ZERO, List.of(new Loss("c", -2)), false),
                "a loss is negative (c=-2)");
        assertInvalid(
                order,
                report(0, 0, 1, true),
                "only the single chunk of a partition without rows has no file (rows=1)");
        assertInvalid(
                order,
                report(0, 0, 0, false),
                "only the single chunk of a partition without rows has no file (rows=0)");
        assertInvalid(
                order,
                report(1, 0, 0, true),
                "only the single chunk of a partition without rows has no file (rows=0)");
        assertCode(() -> ledger.reportChunks(order.claim(), List.of()), ErrorCode.CHUNK_INVALID)
                .endsWith("a call holds 1 to 10000 (chunks=0)");
        ChunkReport chunk = RunScript.chunk(0, 1, false);
        assertCode(
                        () -> ledger.reportChunks(order.claim(), List.of(chunk, chunk)),
                        ErrorCode.CHUNK_INVALID)
                .endsWith("the call holds it twice (index=0)");
        assertThat(ledger.detail(script.id).chunks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"8,1", "8,1", "8,1", "6,3", "6,3", "6,3", "16,2", "16,2", "16,2"})
    void reportsAtOnceAskForTheAuditOnce(int partitions, int chunks) throws Exception {
        RunScript script = RunScript.created();
        ledger.registerManifest(
                script.id, RunScript.manifest(partitions, (long) partitions * chunks, null));
        List<Callable<RunState>> calls = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            WorkOrder order = script.claim();
            for (int index = 0; index < chunks; index++) {
                ChunkReport chunk = RunScript.chunk(index, 1, index == chunks - 1);
                calls.add(
                        () -> ledger.reportChunks(order.claim(), List.of(chunk)).runState());
            }
        }

        List<RunState> states = AtOnce.call(calls);

        assertThat(states).filteredOn(RunState.EXTRACTED_VALIDATED::equals).hasSize(1);
        RunDetail detail = ledger.detail(script.id);
        assertThat(detail.run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        assertThat(detail.run().extracted().rows()).isEqualTo((long) partitions * chunks);
        assertThat(detail.dispatches()).hasSize(1);
        assertThat(detail.partitions()).extracting("state").containsOnly(PartitionState.SUCCESS);
    }

    @RepeatedTest(5)
    void failureAndCompletionAtOnceEndInOneOfTheTwo() throws Exception {
        RunScript script = RunScript.extracting(2);
        script.complete(script.claim());
        WorkOrder order = script.claim();
        Failure failure = new Failure("LOAD", "INTERRUPTED", "asked to stop");

        List<String> outcomes = AtOnce.call(List.of(
                () -> script.complete(order).runState().name(),
                () -> RunsTest.outcome(() -> ledger.failRun(
                        script.id, RunState.EXTRACTING, RunState.CANCELLED, failure))));

        RunDetail detail = ledger.detail(script.id);
        if (outcomes.get(1).equals("done")) {
            assertThat(detail.run().state()).isEqualTo(RunState.CANCELLED);
            assertThat(detail.dispatches()).isEmpty();
        } else {
            assertThat(outcomes).containsExactly("EXTRACTED_VALIDATED", "RUN_STATE_MISMATCH");
            assertThat(detail.dispatches()).hasSize(1);
        }
    }

    private void assertInvalid(WorkOrder order, ChunkReport report, String end) {
        assertCode(
                        () -> ledger.reportChunks(order.claim(), List.of(report)),
                        ErrorCode.CHUNK_INVALID)
                .isEqualTo("Cannot report chunk " + report.index() + " of partition 0000 of run "
                        + order.claim().runId() + ": " + end);
    }

    private static ChunkReport report(int index, long bytes, long rows, boolean last) {
        Balance balance = rows == 0 ? Balance.ZERO : new Balance(rows, 0, 1);
        return new ChunkReport(index, bytes, balance, List.of(), last);
    }
}
