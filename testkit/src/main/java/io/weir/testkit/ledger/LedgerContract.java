package io.weir.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.RunFilter;
import io.weir.core.ledger.WorkLedger;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Stage;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Failure;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.core.run.WorkerSign;
import io.weir.ledger.LedgerSettings;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the commands of the ledger do from creation to the end of extraction, whatever keeps the
 * books. Each test uses a job of its own.
 */
public abstract class LedgerContract {
    /** What the books have to be opened with. */
    public static final LedgerSettings SETTINGS =
            LedgerSettings.DEFAULTS.withGrace(Duration.ZERO).withClaimsMax(2);

    private static final AtomicInteger JOBS = new AtomicInteger();

    protected final WorkLedger ledger = books().ledger();

    /** The same books for every test. */
    protected abstract LedgerBooks books();

    protected final CreateRun request() {
        return LedgerScript.request(job());
    }

    protected static String job() {
        return "job" + JOBS.incrementAndGet();
    }

    protected final LedgerScript created() {
        return new LedgerScript(ledger, request());
    }

    protected final LedgerScript created(RecoveryMode recovery) {
        String job = job();
        return new LedgerScript(ledger, LedgerScript.request(job, "sales." + job, recovery, null));
    }

    protected static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeirException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    /** Claims end, the coordinator and the holder of the snapshot live, somebody sweeps. */
    protected final void loseClaims(LedgerScript script) {
        books().pass(SETTINGS.claimLease());
        ledger.heartbeatRun(script.id(), null);
        ledger.holdSnapshot(
                script.id(),
                new UUID(8, script.id().value().getLeastSignificantBits()),
                LedgerScript.manifest(1).snapshot(),
                "coordinator");
        sweep();
    }

    protected final void sweep() {
        assertThat(books().anotherProcess().sweep().ran()).isTrue();
    }

    /** Every row equals what its events fold to. */
    protected final void assertReplays(LedgerScript script) {
        assertThat(FoldedRows.of(ledger.events(script.id()))).isEqualTo(books().rows(script.id()));
    }

    @Test
    void theSameKeyAnswersWithTheSameRun() {
        CreateRun request = request();
        Run first = ledger.createRun(request);

        assertThat(ledger.createRun(request)).isEqualTo(first);
        assertThat(ledger.events(first.id())).hasSize(1);
        CreateRun other = LedgerScript.withKey(request(), request.idempotencyKey());
        refused(ErrorCode.IDEMPOTENCY_KEY_REUSED, () -> ledger.createRun(other));
    }

    @Test
    void oneRunOfAKeyIsActive() {
        CreateRun request = request();
        LedgerScript first = new LedgerScript(ledger, request);
        CreateRun again = LedgerScript.withKey(request, request.job() + " again");

        refused(ErrorCode.DUPLICATE_ACTIVE_RUN, () -> ledger.createRun(again));
        books().pass(LedgerScript.LEASE);
        Run second = ledger.createRun(again);

        assertThat(first.run().state()).isEqualTo(RunState.TIMED_OUT);
        assertThat(second.state()).isEqualTo(RunState.CREATED);
        assertThat(ledger.runs(new RunFilter(request.job(), true, 10))).containsExactly(second);
        assertReplays(first);
    }

    @Test
    void aManifestIsRegisteredOnce() {
        LedgerScript script = created();
        Manifest manifest = LedgerScript.manifest(3);
        Run run = ledger.registerManifest(script.id(), manifest);

        assertThat(run.state()).isEqualTo(RunState.EXTRACTING);
        assertThat(run.sourceCount()).isEqualTo(30);
        assertThat(ledger.registerManifest(script.id(), manifest).version())
                .isEqualTo(run.version());
        refused(
                ErrorCode.RUN_STATE_MISMATCH,
                () -> ledger.registerManifest(script.id(), LedgerScript.manifest(2)));
        assertReplays(script);
    }

    @Test
    void aManifestThatDoesNotAddUpEndsTheRun() {
        LedgerScript script = created();

        refused(
                ErrorCode.MANIFEST_INVALID,
                () -> ledger.registerManifest(script.id(), LedgerScript.manifest(1, 9, 10L)));
        assertThat(script.run().state()).isEqualTo(RunState.FAILED_MANIFEST);
        assertReplays(script);
    }

    @Test
    void aClaimIsAnsweredAgain() {
        LedgerScript script = created().extracting(2);
        UUID token = new UUID(9, 1);
        WorkOrder order = script.claim(token);

        assertThat(script.claim(token)).isEqualTo(order);
        assertThat(order.claim().epoch()).isEqualTo(1);
        assertThat(order.path()).endsWith("/p=0000/e=1/");
        assertThat(script.claim(new UUID(9, 2)).claim().partitionId().value()).isEqualTo("0001");
        assertThat(ledger.claimNext(script.id(), new UUID(9, 3), "late")).isEmpty();
    }

    @Test
    void aLostClaimIsReissuedUnderTheNextEpoch() {
        LedgerScript script = created().extracting(1);
        WorkOrder lost = script.claim(new UUID(9, 1));
        ledger.reportChunks(lost.claim(), List.of(LedgerScript.chunk(0, 4, false)));
        ledger.heartbeat(lost.claim(), new Progress(4, 40));
        loseClaims(script);
        WorkOrder next = script.claim(new UUID(9, 2));

        assertThat(next.claim().epoch()).isEqualTo(2);
        refused(
                ErrorCode.CLAIM_MISMATCH,
                () -> ledger.reportChunks(lost.claim(), List.of(LedgerScript.chunk(1, 6, true))));
        refused(
                ErrorCode.CLAIM_MISMATCH,
                () -> ledger.heartbeat(lost.claim(), new Progress(5, 50)));
        script.complete(next);
        assertThat(script.detail().chunks()).hasSize(1);
        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        assertReplays(script);
    }

    @Test
    void claimsAreBounded() {
        LedgerScript script = created().extracting(2);
        for (int i = 0; i < 2; i++) {
            script.claim(new UUID(9, i));
            loseClaims(script);
        }

        assertThat(script.run().state()).isEqualTo(RunState.FAILED_EXTRACT);
        assertThat(script.run().failure())
                .extracting(Failure::code)
                .isEqualTo("REISSUE_ATTEMPTS_EXHAUSTED");
        assertThat(script.detail().partitions())
                .extracting(Partition::state)
                .containsExactly(PartitionState.FAILED, PartitionState.TIMED_OUT);
        assertReplays(script);
    }

    @Test
    void withoutRecoveryALostClaimEndsTheRun() {
        LedgerScript script = created(RecoveryMode.FAIL).extracting(2);
        script.claim(new UUID(9, 1));
        loseClaims(script);

        assertThat(script.run().state()).isEqualTo(RunState.TIMED_OUT);
        assertReplays(script);
    }

    @Test
    void aSnapshotThatNobodyKeepsEndsTheRun() {
        LedgerScript script = created().extracting(2);
        books().pass(SETTINGS.claimLease());
        ledger.heartbeatRun(script.id(), null);
        sweep();

        assertThat(script.run().state()).isEqualTo(RunState.FAILED_SNAPSHOT_EXPIRED);
        assertReplays(script);
    }

    @Test
    void reportsCountOnceInAnyOrder() {
        LedgerScript script = created().extracting(1);
        WorkOrder order = script.claim(new UUID(9, 1));
        ChunkReport last = LedgerScript.chunk(2, 5, true);
        ledger.reportChunks(order.claim(), List.of(last));
        ledger.reportChunks(order.claim(), List.of(last));
        ledger.reportChunks(order.claim(), List.of(LedgerScript.chunk(0, 2, false)));
        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTING);
        ledger.reportChunks(order.claim(), List.of(LedgerScript.chunk(1, 3, false), last));
        ledger.reportChunks(order.claim(), List.of(last));

        Partition partition = script.detail().partitions().get(0);
        assertThat(partition.state()).isEqualTo(PartitionState.SUCCESS);
        assertThat(partition.chunkCount()).isEqualTo(3);
        assertThat(partition.bytes()).isEqualTo(3010);
        assertThat(partition.balance()).isEqualTo(LedgerScript.balance(10));
        assertThat(script.run().losses()).extracting("values").containsExactly(3L);
        assertThat(script.dispatch().kind()).isEqualTo(Dispatch.Kind.VALIDATE_RUN);
        assertThat(script.detail().dispatches()).hasSize(1);
        assertReplays(script);
    }

    @Test
    void reportsThatContradictAreRefused() {
        LedgerScript script = created().extracting(1);
        WorkOrder order = script.claim(new UUID(9, 1));
        ledger.reportChunks(order.claim(), List.of(LedgerScript.chunk(1, 5, false)));

        for (ChunkReport wrong : List.of(
                LedgerScript.chunk(1, 4, false),
                LedgerScript.chunk(1, 5, true),
                LedgerScript.chunk(0, 5, true))) {
            refused(
                    ErrorCode.CHUNK_CONFLICT,
                    () -> ledger.reportChunks(order.claim(), List.of(wrong)));
        }
        assertThat(script.detail().chunks()).hasSize(1);
        assertReplays(script);
    }

    @Test
    void aFileLiesWhereItsChunkSays() {
        LedgerScript script = created().extracting(1);
        WorkOrder order = script.claim(new UUID(9, 1));
        ledger.reportChunks(
                order.claim(),
                List.of(LedgerScript.chunk(0, 4, false), LedgerScript.chunk(1, 6, true)));

        assertThat(script.detail().chunks())
                .extracting(Chunk::path)
                .containsExactly(order.file(0), order.file(1));
        assertThat(order.file(1))
                .isEqualTo(script.run().dataPath() + "/p=0000/e=1/0000-000001.parquet");
    }

    @Test
    void rowsThatTheSplitDidNotCountEndTheRun() {
        LedgerScript script = created().extracting(2);
        script.complete(script.claim(new UUID(9, 1)));
        WorkOrder order = script.claim(new UUID(9, 2));
        ledger.reportChunks(order.claim(), List.of(LedgerScript.chunk(0, 9, true)));

        assertThat(script.run().state()).isEqualTo(RunState.FAILED_EXTRACT);
        assertThat(script.detail().dispatches()).isEmpty();
        assertReplays(script);
    }

    @Test
    void aFailedPartitionEndsTheRun() {
        LedgerScript script = created().extracting(2);
        WorkOrder order = script.claim(new UUID(9, 1));
        Failure failure = new Failure("EXTRACT", "SOURCE_SNAPSHOT_EXPIRED", "gone");
        ledger.failPartition(order.claim(), failure);

        assertThat(script.run().state()).isEqualTo(RunState.FAILED_SNAPSHOT_EXPIRED);
        assertThat(script.run().failure()).isEqualTo(failure);
        assertThat(ledger.failPartition(order.claim(), failure).state())
                .isEqualTo(RunState.FAILED_SNAPSHOT_EXPIRED);
        assertReplays(script);
    }

    @Test
    void stagedFilesAreJudgedByTheLedger() {
        LedgerScript script = created().extracted(2);
        assertThat(script.start("auditor")).isTrue();
        script.stage(new UUID(2, 0));
        List<FileMeasure> files = script.measuredFiles();
        FileMeasure wrong = new FileMeasure(files.get(0).path(), LedgerScript.balance(9));

        assertThat(ledger.stageValidated(script.id()).passed()).isFalse();
        Judgement judgement = ledger.recordFiles(script.id(), List.of(wrong, files.get(1)));
        assertThat(judgement.passed()).isFalse();
        assertThat(judgement.failures()).hasSize(2);
        ledger.recordMetrics(script.id(), Stage.STAGING, script.measures());
        assertThat(ledger.stageValidated(script.id()).passed()).isFalse();
        assertThat(script.detail().chunks().get(0).state()).isEqualTo(ChunkState.FAILED);
        ledger.recordFiles(script.id(), files);
        assertThat(ledger.stageValidated(script.id()).passed()).isTrue();
        assertThat(script.run().state()).isEqualTo(RunState.STAGING_VALIDATED);
        assertReplays(script);
    }

    @Test
    void theOutboxIsDeliveredUntilTheStepStarts() {
        LedgerScript script = created().extracted(1);
        Dispatch leased = lease(script).orElseThrow();

        assertThat(leased.attempts()).isEqualTo(1);
        assertThat(lease(script)).isEmpty();
        books().pass(SETTINGS.dispatchLease());
        assertThat(lease(script).orElseThrow().attempts()).isEqualTo(2);
        assertThat(ledger.startStep(script.id(), leased.id(), "a")).isTrue();
        assertThat(ledger.startStep(script.id(), leased.id(), "a")).isTrue();
        assertThat(ledger.startStep(script.id(), leased.id(), "b")).isFalse();
        assertThat(script.detail().dispatches().get(0).state()).isEqualTo(DispatchState.ACKED);
        refused(
                ErrorCode.DISPATCH_NOT_FOUND,
                () -> ledger.startStep(script.id(), new UUID(0, 0), "a"));
        assertReplays(script);
    }

    /** The due row of this run; those of other tests are leased along and come due again. */
    protected final Optional<Dispatch> lease(LedgerScript script) {
        return ledger.leaseDispatches(10_000).stream()
                .filter(row -> row.runId().equals(script.id()))
                .findFirst();
    }

    @Test
    void aHolderIsRemovedOnceItsRunEndedAndItsLeaseIsOver() {
        LedgerScript ended = created();
        LedgerScript active = created();
        for (LedgerScript script : List.of(ended, active)) {
            ledger.holdSnapshot(
                    script.id(), new UUID(8, 1), LedgerScript.manifest(1).snapshot(), "w1");
        }
        ledger.failRun(
                ended.id(),
                RunState.CREATED,
                RunState.FAILED_MANIFEST,
                new Failure("MANIFEST", "SOURCE_UNREACHABLE", "gone"));
        sweep();
        assertThat(ended.detail().holders()).hasSize(1);

        books().pass(SETTINGS.claimLease());
        sweep();

        assertThat(ended.detail().holders()).isEmpty();
        assertThat(active.detail().holders()).hasSize(1);
    }

    @Test
    void aWorkerIsForgottenADayAfterItsLastSign() {
        WorkerSign sign = new WorkerSign(
                new UUID(9, 1), "w1", List.of("shop"), 4, 0, Instant.EPOCH, Instant.EPOCH);
        ledger.signWorker(sign);
        books().pass(SETTINGS.workerRetention().minusMinutes(5));
        assertThat(books().anotherProcess().sweep().workersRemoved()).isZero();
        books().pass(Duration.ofMinutes(5).plusMillis(1));
        WorkerSign alive = new WorkerSign(
                new UUID(9, 2), "w2", List.of("shop"), 4, 0, Instant.EPOCH, Instant.EPOCH);
        ledger.signWorker(alive);

        assertThat(books().anotherProcess().sweep().workersRemoved()).isEqualTo(1);

        assertThat(books().anotherProcess().sweep().workersRemoved()).isZero();
        assertThat(ledger.workers()).extracting(WorkerSign::id).containsExactly(alive.id());
    }
}
