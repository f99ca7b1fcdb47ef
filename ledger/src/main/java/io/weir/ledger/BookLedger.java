package io.weir.ledger;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.ReportReply;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.RunFilter;
import io.weir.core.ledger.SweepReport;
import io.weir.core.ledger.WorkLedger;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Measure;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Event;
import io.weir.core.run.Failure;
import io.weir.core.run.Operator;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;
import io.weir.core.run.StreamTransaction;
import io.weir.core.run.WorkerSign;
import io.weir.ledger.books.Transactions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The commands of the ledger over any transactions: what they decide does not depend on where the
 * books are kept. As safe for use by many threads as the transactions are.
 */
public sealed class BookLedger implements WorkLedger permits PostgresLedger {
    private final Runs runs;
    private final Manifests manifests;
    private final Claims claims;
    private final Reports reports;
    private final Audits audits;
    private final Publishing publishing;
    private final Outboxes outboxes;
    private final Processes processes;
    private final Streams streams;
    private final Sweeps sweeps;

    public BookLedger(Transactions transactions, LedgerSettings settings) {
        this(transactions, transactions, settings);
    }

    /**
     * With signs of life apart, so that they do not wait for other work.
     *
     * @param signs transactions that end, well or not, before a lease does
     */
    BookLedger(Transactions transactions, Transactions signs, LedgerSettings settings) {
        this.runs = new Runs(transactions, settings);
        Unclaimed unclaimed = new Unclaimed();
        this.manifests = new Manifests(transactions, unclaimed);
        KnownClaims known = new KnownClaims();
        this.claims = new Claims(transactions, known, unclaimed, settings);
        this.reports = new Reports(transactions, known, settings);
        this.audits = new Audits(transactions);
        this.publishing = new Publishing(transactions, settings);
        this.outboxes = new Outboxes(transactions, settings);
        this.processes = new Processes(signs, settings);
        this.streams = new Streams(signs, settings);
        this.sweeps = new Sweeps(transactions, settings);
    }

    @Override
    public Run createRun(CreateRun request) {
        return runs.create(request);
    }

    @Override
    public Run heartbeatRun(RunId runId, @Nullable String owner) {
        return processes.prolong(runId, owner);
    }

    @Override
    public Run registerManifest(RunId runId, Manifest manifest) {
        return manifests.register(runId, manifest);
    }

    @Override
    public Optional<WorkOrder> claimNext(RunId runId, UUID token, String worker) {
        return claims.next(runId, token, worker);
    }

    @Override
    public Optional<WorkOrder> claim(
            RunId runId, PartitionId partitionId, UUID token, String worker) {
        return claims.named(runId, partitionId, token, worker);
    }

    @Override
    public void heartbeat(Claim claim, Progress progress) {
        processes.prolong(claim, progress);
    }

    @Override
    public ReportReply reportChunks(Claim claim, List<ChunkReport> chunks) {
        return reports.report(claim, chunks);
    }

    @Override
    public Run failPartition(Claim claim, Failure failure) {
        return claims.fail(claim, failure);
    }

    @Override
    public void holdSnapshot(RunId runId, UUID holder, SnapshotToken token, String worker) {
        processes.hold(runId, holder, token, worker);
    }

    @Override
    public void releaseSnapshot(RunId runId, UUID holder) {
        processes.release(runId, holder);
    }

    @Override
    public void signWorker(WorkerSign sign) {
        processes.sign(sign);
    }

    @Override
    public List<WorkerSign> workers() {
        return processes.workers();
    }

    @Override
    public StreamTransaction openStream(StreamTransaction begun) {
        return streams.open(begun);
    }

    @Override
    public StreamTransaction prolongStream(UUID id, long records) {
        return streams.prolong(id, records);
    }

    @Override
    public StreamTransaction commitStream(UUID id) {
        return streams.commit(id);
    }

    @Override
    public void closeStream(UUID id) {
        streams.close(id);
    }

    @Override
    public StreamTransaction abortStream(UUID id, Operator operator) {
        return streams.abort(id, operator);
    }

    @Override
    public List<StreamTransaction> streams() {
        return streams.all();
    }

    @Override
    public boolean startStep(RunId runId, UUID dispatchId, String owner) {
        return outboxes.start(runId, dispatchId, owner);
    }

    @Override
    public List<Dispatch> leaseDispatches(int most) {
        return outboxes.lease(most);
    }

    @Override
    public void settleDispatch(Dispatch leased, Delivery delivery) {
        outboxes.settle(leased, delivery);
    }

    @Override
    public SweepReport sweep() {
        return sweeps.sweep();
    }

    @Override
    public Run cancelRun(RunId runId, RunState expected, Operator operator) {
        return runs.cancel(runId, expected, operator);
    }

    @Override
    public Dispatch resendDispatch(RunId runId, UUID dispatchId, Operator operator) {
        return outboxes.resend(runId, dispatchId, operator);
    }

    @Override
    public List<Run> cleanable(Duration succeeded, Duration failed, int most) {
        return runs.cleanable(succeeded, failed, most);
    }

    @Override
    public Run recordCleaned(RunId runId) {
        return runs.cleaned(runId);
    }

    @Override
    public PublishAttempt openAttempt(RunId runId, long baseSnapshotId, UUID token) {
        return publishing.open(runId, baseSnapshotId, token);
    }

    @Override
    public void recordStaged(PublishAttempt attempt, long stagedSnapshotId) {
        publishing.staged(attempt, stagedSnapshotId);
    }

    @Override
    public Judgement recordFiles(RunId runId, List<FileMeasure> files) {
        return audits.files(runId, files);
    }

    @Override
    public Judgement recordMetrics(RunId runId, Stage stage, List<Measure> measures) {
        return audits.metrics(runId, stage, measures);
    }

    @Override
    public Judgement stageValidated(RunId runId) {
        return audits.stageValidated(runId);
    }

    @Override
    public PublishAttempt claimPublish(PublishAttempt attempt) {
        return publishing.claim(attempt);
    }

    @Override
    public PublishAttempt renewAttempt(PublishAttempt attempt, long baseSnapshotId, UUID token) {
        return publishing.renew(attempt, baseSnapshotId, token);
    }

    @Override
    public Run publishResult(
            PublishAttempt attempt,
            PublishOutcome outcome,
            @Nullable Long publishedSnapshotId,
            String evidence) {
        return publishing.result(attempt, outcome, publishedSnapshotId, evidence);
    }

    @Override
    public Judgement succeed(RunId runId) {
        return audits.succeed(runId);
    }

    @Override
    public Run failRun(RunId runId, RunState expected, RunState failState, Failure failure) {
        return runs.fail(runId, expected, failState, failure);
    }

    @Override
    public RunDetail detail(RunId runId) {
        return runs.detail(runId);
    }

    @Override
    public List<Run> runs(RunFilter filter) {
        return runs.list(filter);
    }

    @Override
    public List<Event> events(RunId runId) {
        return runs.events(runId);
    }
}
