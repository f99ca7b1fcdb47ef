package io.weir.core.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
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
import io.weir.core.run.WorkerSign;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The books. Every call may be repeated after a lost reply and then answers as the first one did.
 *
 * <p>All calls throw {@link WeirException}: {@link ErrorCode#RUN_NOT_FOUND}, {@link
 * ErrorCode#PARTITION_NOT_FOUND} for unknown ids, {@link ErrorCode#LEDGER_UNREACHABLE} when the
 * books cannot be reached; further codes are named at the call.
 */
public interface Ledger {
    /**
     * Opens a run in state CREATED. An older active run of the same job, business key and target
     * whose coordinator was lost before everything arrived is closed first, as TIMED_OUT; one that
     * came further is finished by whoever the outbox calls.
     *
     * @throws WeirException {@link ErrorCode#DUPLICATE_ACTIVE_RUN} while the older run lives,
     *     {@link ErrorCode#RUN_UNSETTLED} if it waits for its next step, {@link
     *     ErrorCode#IDEMPOTENCY_KEY_REUSED}
     */
    Run createRun(CreateRun request);

    /**
     * Says that whoever has the run is alive, and prolongs its lease. A sign of anybody else does
     * not count: it must not hide that the owner is dead.
     *
     * @param owner of the current step; null for the process that created the run, which has it
     *     whenever no step is being done
     * @return the run as it is now
     */
    Run heartbeatRun(RunId runId, @Nullable String owner);

    /**
     * Says that a process keeps the snapshot of a run alive, and prolongs its lease.
     *
     * @param token what others import from this process; the same holder always names the same
     * @throws WeirException {@link ErrorCode#RUN_STATE_MISMATCH} once the run ended
     */
    void holdSnapshot(RunId runId, UUID holder, SnapshotToken token, String worker);

    /** Says that the process gives the snapshot up. */
    void releaseSnapshot(RunId runId, UUID holder);

    /** Says that a worker process is alive, and what it can do; times of the sign do not count. */
    void signWorker(WorkerSign sign);

    /** Workers that gave a sign within the last hour, the newest sign first. */
    List<WorkerSign> workers();

    /**
     * Registers what the run has to read; CREATED to EXTRACTING.
     *
     * @throws WeirException {@link ErrorCode#MANIFEST_INVALID} after the run became
     *     FAILED_MANIFEST, {@link ErrorCode#RUN_STATE_MISMATCH} if the run holds another manifest
     */
    Run registerManifest(RunId runId, Manifest manifest);

    /**
     * Claims the next partition that can be claimed: PENDING or RETRY. One whose worker is lost
     * stays with it until a sweep gives it back.
     *
     * @param token made by the worker; the same token again answers with the same order
     * @return empty if there is none or the run is not EXTRACTING
     */
    Optional<WorkOrder> claimNext(RunId runId, UUID token, String worker);

    /** Claims one partition by name; empty if it cannot be claimed now. */
    Optional<WorkOrder> claim(RunId runId, PartitionId partitionId, UUID token, String worker);

    /**
     * Says that the worker of a partition is alive; prolongs the lease of the claim.
     *
     * @throws WeirException {@link ErrorCode#CLAIM_MISMATCH}
     */
    void heartbeat(Claim claim, Progress progress);

    /**
     * Records durable files. The report that completes a partition moves it to SUCCESS or FAILED;
     * the one that completes the last partition moves the run to EXTRACTED_VALIDATED and writes the
     * outbox row in the same transaction, exactly once.
     *
     * @throws WeirException {@link ErrorCode#CLAIM_MISMATCH}, {@link ErrorCode#CHUNK_CONFLICT} for
     *     the same index with other content, {@link ErrorCode#CHUNK_INVALID}
     */
    ReportReply reportChunks(Claim claim, List<ChunkReport> chunks);

    /**
     * Fails a partition and with it the run: FAILED_SNAPSHOT_EXPIRED if the code of the failure is
     * SOURCE_SNAPSHOT_EXPIRED, else FAILED_EXTRACT.
     *
     * @throws WeirException {@link ErrorCode#CLAIM_MISMATCH}
     */
    Run failPartition(Claim claim, Failure failure);

    /**
     * Acknowledges a row of the outbox and makes the caller the owner of its step. VALIDATE_RUN
     * moves EXTRACTED_VALIDATED to STAGE_VALIDATING; the other steps leave the state.
     *
     * @param owner who does the step; the same owner may ask again after a lost reply
     * @return whether this owner does the step; false also if the run ended or moved on
     * @throws WeirException {@link ErrorCode#DISPATCH_NOT_FOUND}
     */
    boolean startStep(RunId runId, UUID dispatchId, String owner);

    /**
     * Opens a publish attempt in state STAGED under the next epoch of the target.
     *
     * @param baseSnapshotId snapshot of main from which the branch will be taken
     * @param token made by the caller; the same token again answers with the same attempt
     * @throws WeirException {@link ErrorCode#RUN_STATE_MISMATCH} unless the run is STAGE_VALIDATING
     *     or, to stage again what was audited, STAGING_VALIDATED
     */
    PublishAttempt openAttempt(RunId runId, long baseSnapshotId, UUID token);

    /** Records the snapshot that the attempt staged on its branch. */
    void recordStaged(PublishAttempt attempt, long stagedSnapshotId);

    /**
     * Judges the staged files against the chunks: the same set of paths, equal balances.
     *
     * @throws WeirException {@link ErrorCode#RUN_STATE_MISMATCH} unless STAGE_VALIDATING
     */
    Judgement recordFiles(RunId runId, List<FileMeasure> files);

    /**
     * Judges measured metrics against the expectation of the manifest; balance and duplicate keys
     * against the chunks and zero. The ledger computes every verdict.
     *
     * @throws WeirException {@link ErrorCode#RUN_STATE_MISMATCH} unless STAGE_VALIDATING for
     *     STAGING, PUBLISHED for TARGET
     */
    Judgement recordMetrics(RunId runId, Stage stage, List<Measure> measures);

    /**
     * Moves STAGE_VALIDATING to STAGING_VALIDATED if every file is verified and every required
     * metric passed. Once every run of the cut came so far, each gets its PUBLISH_RUN.
     */
    Judgement stageValidated(RunId runId);

    /**
     * Makes the attempt OPEN and the run PUBLISHING.
     *
     * @throws WeirException {@link ErrorCode#TARGET_BUSY} while another attempt of the target is
     *     OPEN or UNKNOWN, {@link ErrorCode#PUBLISH_TOKEN_MISMATCH}, {@link
     *     ErrorCode#RUN_STATE_MISMATCH}
     */
    PublishAttempt claimPublish(PublishAttempt attempt);

    /**
     * Replaces an OPEN attempt that was proven not to have happened by a new one, OPEN as well,
     * under the next epoch; the target stays taken.
     *
     * @throws WeirException {@link ErrorCode#PUBLISH_TOKEN_MISMATCH}
     */
    PublishAttempt renewAttempt(PublishAttempt attempt, long baseSnapshotId, UUID token);

    /**
     * Records how the attempt ended: PUBLISHED, FAILED_PUBLISH or PUBLISH_UNKNOWN. An UNKNOWN
     * attempt may later be settled by the same call. ABSENT sends the run back to
     * STAGING_VALIDATED, to be published under a new attempt. Every outcome but FAILED asks for
     * the next step in the outbox.
     *
     * @param publishedSnapshotId snapshot of main that shows the rows; only if PUBLISHED
     * @param evidence what was read, where
     * @throws WeirException {@link ErrorCode#PUBLISH_TOKEN_MISMATCH}, {@link
     *     ErrorCode#RUN_STATE_MISMATCH}
     */
    Run publishResult(
            PublishAttempt attempt,
            PublishOutcome outcome,
            @Nullable Long publishedSnapshotId,
            String evidence);

    /**
     * Confirms a PUBLISHED run if every required TARGET metric passed. The one that confirms the
     * last run of the cut moves all of them to SUCCESS.
     */
    Judgement succeed(RunId runId);

    /**
     * Ends a run; its open partitions become TIMED_OUT in the same transaction.
     *
     * @param expected the state that the caller believes the run is in
     * @param failState a terminal state that can follow it
     * @throws WeirException {@link ErrorCode#RUN_STATE_MISMATCH}
     */
    Run failRun(RunId runId, RunState expected, RunState failState, Failure failure);

    /**
     * Ends a run because a person wants it.
     *
     * @param expected the state that the person saw
     * @throws WeirException {@link ErrorCode#RUN_STATE_MISMATCH} if it is in another state, or may
     *     be published already
     */
    Run cancelRun(RunId runId, RunState expected, Operator operator);

    /**
     * Puts a DEAD row of the outbox back to PENDING, with all its attempts, because a person says
     * that the cause is gone. Alone among the calls it is refused when it is repeated: the row is
     * not DEAD any more.
     *
     * @throws WeirException {@link ErrorCode#DISPATCH_NOT_FOUND}, {@link
     *     ErrorCode#RUN_STATE_MISMATCH} if it is not DEAD
     */
    Dispatch resendDispatch(RunId runId, UUID dispatchId, Operator operator);

    /**
     * Runs that ended longer ago than a time and were not cleaned up after, oldest first; never one
     * with an attempt whose outcome is open.
     *
     * @param succeeded for runs in state SUCCESS
     * @param failed for all others
     */
    List<Run> cleanable(Duration succeeded, Duration failed, int most);

    /**
     * Records that what a run left behind is gone.
     *
     * @throws WeirException {@link ErrorCode#RUN_STATE_MISMATCH} unless it ended
     */
    Run recordCleaned(RunId runId);

    RunDetail detail(RunId runId);

    /** Newest first. */
    List<Run> runs(RunFilter filter);

    /** In order. */
    List<Event> events(RunId runId);
}
