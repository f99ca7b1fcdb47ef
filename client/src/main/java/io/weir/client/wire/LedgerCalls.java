package io.weir.client.wire;

import com.fasterxml.jackson.core.type.TypeReference;

import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.ReportReply;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.SweepReport;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Event;
import io.weir.core.run.Operator;
import io.weir.core.run.Run;
import io.weir.core.run.WorkerSign;

import java.util.List;
import java.util.Optional;

/** Every call of a ledger at work, one constant for each method of the port. */
public final class LedgerCalls {
    /** What a call answers that answers nothing. */
    public record Done() {}

    public static final LedgerCall<Questions.CreateRun, Run> CREATE_RUN = LedgerCall.of(
            "create-run",
            "runs:create",
            "Opens a run of our own.",
            Questions.CreateRun.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.createRun(asked.request()));

    public static final LedgerCall<Questions.HeartbeatRun, Run> HEARTBEAT_RUN = LedgerCall.of(
            "heartbeat-run",
            "parts:work",
            "Prolongs the lease of a run.",
            Questions.HeartbeatRun.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.heartbeatRun(asked.runId(), asked.owner()));

    public static final LedgerCall<Questions.HoldSnapshot, Done> HOLD_SNAPSHOT = LedgerCall.of(
            "hold-snapshot",
            "parts:work",
            "Says that a process keeps the snapshot of a run alive.",
            Questions.HoldSnapshot.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> {
                ledger.holdSnapshot(asked.runId(), asked.holder(), asked.token(), asked.worker());
                return new Done();
            });

    public static final LedgerCall<Questions.ReleaseSnapshot, Done> RELEASE_SNAPSHOT =
            LedgerCall.of(
                    "release-snapshot",
                    "parts:work",
                    "Says that a process gives the snapshot up.",
                    Questions.ReleaseSnapshot.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) -> {
                        ledger.releaseSnapshot(asked.runId(), asked.holder());
                        return new Done();
                    });

    public static final LedgerCall<Questions.SignWorker, Done> SIGN_WORKER = LedgerCall.of(
            "sign-worker",
            "parts:work",
            "Says that a worker is alive, and what it can do.",
            Questions.SignWorker.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> {
                ledger.signWorker(asked.sign());
                return new Done();
            });

    public static final LedgerCall<Questions.Nothing, List<WorkerSign>> WORKERS = LedgerCall.of(
            "workers",
            "runs:read",
            "Lists workers that gave a sign within the last hour.",
            Questions.Nothing.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.workers());

    public static final LedgerCall<Questions.RegisterManifest, Run> REGISTER_MANIFEST =
            LedgerCall.of(
                    "register-manifest",
                    "parts:work",
                    "Registers what a run has to read.",
                    Questions.RegisterManifest.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) ->
                            ledger.registerManifest(asked.runId(), asked.manifest()));

    public static final LedgerCall<Questions.ClaimNext, Optional<WorkOrder>> CLAIM_NEXT =
            LedgerCall.of(
                    "claim-next",
                    "parts:work",
                    "Claims the next partition; null if there is none.",
                    Questions.ClaimNext.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) ->
                            ledger.claimNext(asked.runId(), asked.token(), asked.worker()));

    public static final LedgerCall<Questions.ClaimOne, Optional<WorkOrder>> CLAIM = LedgerCall.of(
            "claim",
            "parts:work",
            "Claims one partition by name; null if it cannot be claimed.",
            Questions.ClaimOne.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.claim(
                    asked.runId(), asked.partitionId(), asked.token(), asked.worker()));

    public static final LedgerCall<Questions.Heartbeat, Done> HEARTBEAT = LedgerCall.of(
            "heartbeat",
            "parts:work",
            "Prolongs the lease of a claim.",
            Questions.Heartbeat.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> {
                ledger.heartbeat(asked.claim(), asked.progress());
                return new Done();
            });

    public static final LedgerCall<Questions.ReportChunks, ReportReply> REPORT_CHUNKS =
            LedgerCall.of(
                    "report-chunks",
                    "parts:work",
                    "Records durable files of a partition.",
                    Questions.ReportChunks.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) -> ledger.reportChunks(asked.claim(), asked.chunks()));

    public static final LedgerCall<Questions.FailPartition, Run> FAIL_PARTITION = LedgerCall.of(
            "fail-partition",
            "parts:work",
            "Fails a partition and with it its run.",
            Questions.FailPartition.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.failPartition(asked.claim(), asked.failure()));

    public static final LedgerCall<Questions.StartStep, Boolean> START_STEP = LedgerCall.of(
            "start-step",
            "validate:work",
            "Makes the caller the owner of a step; whether it is.",
            Questions.StartStep.class,
            new TypeReference<>() {},
            (ledger, asked, caller) ->
                    ledger.startStep(asked.runId(), asked.dispatchId(), asked.owner()));

    public static final LedgerCall<Questions.OpenAttempt, PublishAttempt> OPEN_ATTEMPT =
            LedgerCall.of(
                    "open-attempt",
                    "validate:work",
                    "Opens a publish attempt under the next epoch.",
                    Questions.OpenAttempt.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) -> ledger.openAttempt(
                            asked.runId(), asked.baseSnapshotId(), asked.token()));

    public static final LedgerCall<Questions.RecordStaged, Done> RECORD_STAGED = LedgerCall.of(
            "record-staged",
            "validate:work",
            "Records the snapshot that an attempt staged.",
            Questions.RecordStaged.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> {
                ledger.recordStaged(asked.attempt(), asked.stagedSnapshotId());
                return new Done();
            });

    public static final LedgerCall<Questions.RecordFiles, Judgement> RECORD_FILES = LedgerCall.of(
            "record-files",
            "validate:work",
            "Judges the staged files against the chunks.",
            Questions.RecordFiles.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.recordFiles(asked.runId(), asked.files()));

    public static final LedgerCall<Questions.RecordMetrics, Judgement> RECORD_METRICS =
            LedgerCall.of(
                    "record-metrics",
                    "validate:work",
                    "Judges measured metrics against the manifest.",
                    Questions.RecordMetrics.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) ->
                            ledger.recordMetrics(asked.runId(), asked.stage(), asked.measures()));

    public static final LedgerCall<Questions.OfRun, Judgement> STAGE_VALIDATED = LedgerCall.of(
            "stage-validated",
            "validate:work",
            "Ends the audit of what was staged.",
            Questions.OfRun.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.stageValidated(asked.runId()));

    public static final LedgerCall<Questions.ClaimPublish, PublishAttempt> CLAIM_PUBLISH =
            LedgerCall.of(
                    "claim-publish",
                    "publish:work",
                    "Takes the target for an attempt.",
                    Questions.ClaimPublish.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) -> ledger.claimPublish(asked.attempt()));

    public static final LedgerCall<Questions.RenewAttempt, PublishAttempt> RENEW_ATTEMPT =
            LedgerCall.of(
                    "renew-attempt",
                    "publish:work",
                    "Replaces an attempt that did not happen.",
                    Questions.RenewAttempt.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) -> ledger.renewAttempt(
                            asked.attempt(), asked.baseSnapshotId(), asked.token()));

    public static final LedgerCall<Questions.PublishResult, Run> PUBLISH_RESULT = LedgerCall.of(
            "publish-result",
            "publish:work",
            "Records how an attempt ended.",
            Questions.PublishResult.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.publishResult(
                    asked.attempt(),
                    asked.outcome(),
                    asked.publishedSnapshotId(),
                    asked.evidence()));

    public static final LedgerCall<Questions.OfRun, Judgement> SUCCEED = LedgerCall.of(
            "succeed",
            "publish:work",
            "Confirms a published run that was read back.",
            Questions.OfRun.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.succeed(asked.runId()));

    public static final LedgerCall<Questions.FailRun, Run> FAIL_RUN = LedgerCall.of(
            "fail-run",
            "parts:work",
            "Ends a run that failed.",
            Questions.FailRun.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.failRun(
                    asked.runId(), asked.expected(), asked.failState(), asked.failure()));

    public static final LedgerCall<Questions.CancelRun, Run> CANCEL_RUN = LedgerCall.of(
            "cancel-run",
            "operator:act",
            "Ends a run because a person wants it.",
            Questions.CancelRun.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.cancelRun(
                    asked.runId(), asked.expected(), new Operator(caller, asked.reason())));

    public static final LedgerCall<Questions.ResendDispatch, Dispatch> RESEND_DISPATCH =
            LedgerCall.of(
                    "resend-dispatch",
                    "operator:act",
                    "Puts a dead row of the outbox back to pending.",
                    Questions.ResendDispatch.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) -> ledger.resendDispatch(
                            asked.runId(),
                            asked.dispatchId(),
                            new Operator(caller, asked.reason())));

    public static final LedgerCall<Questions.Cleanable, List<Run>> CLEANABLE = LedgerCall.of(
            "cleanable",
            "runs:read",
            "Lists ended runs that were not cleaned up after.",
            Questions.Cleanable.class,
            new TypeReference<>() {},
            (ledger, asked, caller) ->
                    ledger.cleanable(asked.succeeded(), asked.failed(), asked.most()));

    public static final LedgerCall<Questions.OfRun, Run> RECORD_CLEANED = LedgerCall.of(
            "record-cleaned",
            "cleanup:work",
            "Records that what a run left behind is gone.",
            Questions.OfRun.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.recordCleaned(asked.runId()));

    public static final LedgerCall<Questions.OfRun, RunDetail> DETAIL = LedgerCall.of(
            "detail",
            "runs:read",
            "Shows everything that the ledger knows of a run.",
            Questions.OfRun.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.detail(asked.runId()));

    public static final LedgerCall<Questions.Runs, List<Run>> RUNS = LedgerCall.of(
            "runs",
            "runs:read",
            "Lists runs of our own, newest first.",
            Questions.Runs.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.runs(asked.filter()));

    public static final LedgerCall<Questions.OfRun, List<Event>> EVENTS = LedgerCall.of(
            "events",
            "runs:read",
            "Lists the events of a run in order.",
            Questions.OfRun.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.events(asked.runId()));

    public static final LedgerCall<Questions.LeaseDispatches, List<Dispatch>> LEASE_DISPATCHES =
            LedgerCall.of(
                    "lease-dispatches",
                    "validate:work",
                    "Takes due rows of the outbox under a lease.",
                    Questions.LeaseDispatches.class,
                    new TypeReference<>() {},
                    (ledger, asked, caller) -> ledger.leaseDispatches(asked.most()));

    public static final LedgerCall<Questions.SettleDispatch, Done> SETTLE_DISPATCH = LedgerCall.of(
            "settle-dispatch",
            "validate:work",
            "Settles a leased row of the outbox.",
            Questions.SettleDispatch.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> {
                ledger.settleDispatch(asked.leased(), asked.delivery());
                return new Done();
            });

    public static final LedgerCall<Questions.Nothing, SweepReport> SWEEP = LedgerCall.of(
            "sweep",
            "parts:work",
            "Looks after what was left behind.",
            Questions.Nothing.class,
            new TypeReference<>() {},
            (ledger, asked, caller) -> ledger.sweep());

    public static final List<LedgerCall<?, ?>> ALL = List.of(
            CREATE_RUN,
            HEARTBEAT_RUN,
            HOLD_SNAPSHOT,
            RELEASE_SNAPSHOT,
            SIGN_WORKER,
            WORKERS,
            REGISTER_MANIFEST,
            CLAIM_NEXT,
            CLAIM,
            HEARTBEAT,
            REPORT_CHUNKS,
            FAIL_PARTITION,
            START_STEP,
            OPEN_ATTEMPT,
            RECORD_STAGED,
            RECORD_FILES,
            RECORD_METRICS,
            STAGE_VALIDATED,
            CLAIM_PUBLISH,
            RENEW_ATTEMPT,
            PUBLISH_RESULT,
            SUCCEED,
            FAIL_RUN,
            CANCEL_RUN,
            RESEND_DISPATCH,
            CLEANABLE,
            RECORD_CLEANED,
            DETAIL,
            RUNS,
            EVENTS,
            LEASE_DISPATCHES,
            SETTLE_DISPATCH,
            SWEEP,
            StreamCalls.OPEN,
            StreamCalls.PROLONG,
            StreamCalls.COMMIT,
            StreamCalls.CLOSE,
            StreamCalls.ABORT,
            StreamCalls.ALL_OPEN);

    private LedgerCalls() {}
}
