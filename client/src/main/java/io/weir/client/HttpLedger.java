package io.weir.client;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.client.wire.LedgerCall;
import io.weir.client.wire.LedgerCalls;
import io.weir.client.wire.Questions;
import io.weir.client.wire.StreamCalls;
import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
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

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import javax.net.ssl.SSLContext;

/**
 * The ledger of a {@code weir server}. Every call is one request, and every rule is the server's:
 * nothing is kept or decided here. Safe for use by many threads.
 *
 * <p>Calls throw what the ledger throws, and {@link ErrorCode#UNAUTHENTICATED} or {@link
 * ErrorCode#FORBIDDEN} if the token does not allow them.
 */
public final class HttpLedger implements WorkLedger {
    /** How long a reply may take; a call without one may be repeated. */
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(30);

    private final LedgerLine line;

    private HttpLedger(LedgerLine line) {
        this.line = line;
    }

    /**
     * Opens no connection yet.
     *
     * @param token of role worker for work, of role operator to cancel and to send again
     * @param timeout how long one reply may take
     */
    public static HttpLedger of(LedgerAddress address, String token, Duration timeout) {
        return of(address, token, timeout, null);
    }

    /**
     * The same with certificates of one's own.
     *
     * @param trust null for those that Java trusts
     */
    public static HttpLedger of(
            LedgerAddress address, String token, Duration timeout, @Nullable SSLContext trust) {
        return new HttpLedger(new LedgerLine(address, token, timeout, trust));
    }

    /** Outside runs of the same server. */
    public OutsideRuns outside() {
        return new HttpOutsideRuns(line);
    }

    /** The run that a question is about, for the server's journal; empty if it names none. */
    private static String run(JsonNode document) {
        String at = document.has("claim") ? "/claim/runId" : "/runId";
        return document.at(document.has("attempt") ? "/attempt/runId" : at).asText();
    }

    private <Q extends Record, A> A ask(LedgerCall<Q, A> call, Q question) {
        JsonNode document = call.document(question);
        JsonNode reply = line.post(call.path(), document, run(document));
        try {
            return call.read(reply);
        } catch (IllegalArgumentException e) {
            throw new WeirException(
                    ErrorCode.LEDGER_INVALID,
                    "Cannot read the answer to " + call.name() + ": " + e.getMessage(),
                    "Run client and server of one version.",
                    e);
        }
    }

    @Override
    public Run createRun(CreateRun request) {
        return ask(LedgerCalls.CREATE_RUN, new Questions.CreateRun(request));
    }

    @Override
    public Run heartbeatRun(RunId runId, @Nullable String owner) {
        return ask(LedgerCalls.HEARTBEAT_RUN, new Questions.HeartbeatRun(runId, owner));
    }

    @Override
    public void holdSnapshot(RunId runId, UUID holder, SnapshotToken token, String worker) {
        ask(LedgerCalls.HOLD_SNAPSHOT, new Questions.HoldSnapshot(runId, holder, token, worker));
    }

    @Override
    public void releaseSnapshot(RunId runId, UUID holder) {
        ask(LedgerCalls.RELEASE_SNAPSHOT, new Questions.ReleaseSnapshot(runId, holder));
    }

    @Override
    public void signWorker(WorkerSign sign) {
        ask(LedgerCalls.SIGN_WORKER, new Questions.SignWorker(sign));
    }

    @Override
    public List<WorkerSign> workers() {
        return ask(LedgerCalls.WORKERS, new Questions.Nothing());
    }

    @Override
    public Run registerManifest(RunId runId, Manifest manifest) {
        return ask(LedgerCalls.REGISTER_MANIFEST, new Questions.RegisterManifest(runId, manifest));
    }

    @Override
    public Optional<WorkOrder> claimNext(RunId runId, UUID token, String worker) {
        return ask(LedgerCalls.CLAIM_NEXT, new Questions.ClaimNext(runId, token, worker));
    }

    @Override
    public Optional<WorkOrder> claim(
            RunId runId, PartitionId partitionId, UUID token, String worker) {
        return ask(LedgerCalls.CLAIM, new Questions.ClaimOne(runId, partitionId, token, worker));
    }

    @Override
    public void heartbeat(Claim claim, Progress progress) {
        ask(LedgerCalls.HEARTBEAT, new Questions.Heartbeat(claim, progress));
    }

    @Override
    public ReportReply reportChunks(Claim claim, List<ChunkReport> chunks) {
        return ask(LedgerCalls.REPORT_CHUNKS, new Questions.ReportChunks(claim, chunks));
    }

    @Override
    public Run failPartition(Claim claim, Failure failure) {
        return ask(LedgerCalls.FAIL_PARTITION, new Questions.FailPartition(claim, failure));
    }

    @Override
    public boolean startStep(RunId runId, UUID dispatchId, String owner) {
        return ask(LedgerCalls.START_STEP, new Questions.StartStep(runId, dispatchId, owner));
    }

    @Override
    public PublishAttempt openAttempt(RunId runId, long baseSnapshotId, UUID token) {
        return ask(
                LedgerCalls.OPEN_ATTEMPT, new Questions.OpenAttempt(runId, baseSnapshotId, token));
    }

    @Override
    public void recordStaged(PublishAttempt attempt, long stagedSnapshotId) {
        ask(LedgerCalls.RECORD_STAGED, new Questions.RecordStaged(attempt, stagedSnapshotId));
    }

    @Override
    public Judgement recordFiles(RunId runId, List<FileMeasure> files) {
        return ask(LedgerCalls.RECORD_FILES, new Questions.RecordFiles(runId, files));
    }

    @Override
    public Judgement recordMetrics(RunId runId, Stage stage, List<Measure> measures) {
        return ask(LedgerCalls.RECORD_METRICS, new Questions.RecordMetrics(runId, stage, measures));
    }

    @Override
    public Judgement stageValidated(RunId runId) {
        return ask(LedgerCalls.STAGE_VALIDATED, new Questions.OfRun(runId));
    }

    @Override
    public PublishAttempt claimPublish(PublishAttempt attempt) {
        return ask(LedgerCalls.CLAIM_PUBLISH, new Questions.ClaimPublish(attempt));
    }

    @Override
    public PublishAttempt renewAttempt(PublishAttempt attempt, long baseSnapshotId, UUID token) {
        return ask(
                LedgerCalls.RENEW_ATTEMPT,
                new Questions.RenewAttempt(attempt, baseSnapshotId, token));
    }

    @Override
    public Run publishResult(
            PublishAttempt attempt,
            PublishOutcome outcome,
            @Nullable Long publishedSnapshotId,
            String evidence) {
        return ask(
                LedgerCalls.PUBLISH_RESULT,
                new Questions.PublishResult(attempt, outcome, publishedSnapshotId, evidence));
    }

    @Override
    public Judgement succeed(RunId runId) {
        return ask(LedgerCalls.SUCCEED, new Questions.OfRun(runId));
    }

    @Override
    public Run failRun(RunId runId, RunState expected, RunState failState, Failure failure) {
        return ask(
                LedgerCalls.FAIL_RUN, new Questions.FailRun(runId, expected, failState, failure));
    }

    @Override
    public Run cancelRun(RunId runId, RunState expected, Operator operator) {
        return ask(
                LedgerCalls.CANCEL_RUN,
                new Questions.CancelRun(runId, expected, operator.reason()));
    }

    @Override
    public Dispatch resendDispatch(RunId runId, UUID dispatchId, Operator operator) {
        return ask(
                LedgerCalls.RESEND_DISPATCH,
                new Questions.ResendDispatch(runId, dispatchId, operator.reason()));
    }

    @Override
    public List<Run> cleanable(Duration succeeded, Duration failed, int most) {
        return ask(LedgerCalls.CLEANABLE, new Questions.Cleanable(succeeded, failed, most));
    }

    @Override
    public Run recordCleaned(RunId runId) {
        return ask(LedgerCalls.RECORD_CLEANED, new Questions.OfRun(runId));
    }

    @Override
    public RunDetail detail(RunId runId) {
        return ask(LedgerCalls.DETAIL, new Questions.OfRun(runId));
    }

    @Override
    public List<Run> runs(RunFilter filter) {
        return ask(LedgerCalls.RUNS, new Questions.Runs(filter));
    }

    @Override
    public List<Event> events(RunId runId) {
        return ask(LedgerCalls.EVENTS, new Questions.OfRun(runId));
    }

    @Override
    public List<Dispatch> leaseDispatches(int most) {
        return ask(LedgerCalls.LEASE_DISPATCHES, new Questions.LeaseDispatches(most));
    }

    @Override
    public void settleDispatch(Dispatch leased, Delivery delivery) {
        ask(LedgerCalls.SETTLE_DISPATCH, new Questions.SettleDispatch(leased, delivery));
    }

    @Override
    public SweepReport sweep() {
        return ask(LedgerCalls.SWEEP, new Questions.Nothing());
    }

    @Override
    public StreamTransaction openStream(StreamTransaction begun) {
        return ask(StreamCalls.OPEN, new Questions.OpenStream(begun));
    }

    @Override
    public StreamTransaction prolongStream(UUID id, long records) {
        return ask(StreamCalls.PROLONG, new Questions.ProlongStream(id, records));
    }

    @Override
    public StreamTransaction commitStream(UUID id) {
        return ask(StreamCalls.COMMIT, new Questions.OfStream(id));
    }

    @Override
    public void closeStream(UUID id) {
        ask(StreamCalls.CLOSE, new Questions.OfStream(id));
    }

    @Override
    public StreamTransaction abortStream(UUID id, Operator operator) {
        return ask(StreamCalls.ABORT, new Questions.AbortStream(id, operator.reason()));
    }

    @Override
    public List<StreamTransaction> streams() {
        return ask(StreamCalls.ALL_OPEN, new Questions.Nothing());
    }
}
