package io.weir.ledger.outside;

import com.fasterxml.jackson.databind.JsonNode;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Stage;
import io.weir.core.run.Operator;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The books of outside runs. Every call may be repeated after a lost reply. Safe for use by many
 * threads.
 *
 * <p>All calls throw {@link WeirException}: {@link ErrorCode#RUN_NOT_FOUND}, {@link
 * ErrorCode#PARTITION_NOT_FOUND}, {@link ErrorCode#LEDGER_UNREACHABLE}; further codes are named at
 * the call.
 */
public final class OutsideLedger {
    private final OutsideRuns runs;
    private final OutsideManifests manifests;
    private final OutsideExtracts extracts;
    private final OutsideAudits audits;
    private final OutsidePublishing publishing;
    private final OutsideOutbox outbox;
    private final OutsideSweeps sweeps;
    private final OutsideMonitor monitor;

    public OutsideLedger(OutsideTransactions transactions, OutsideSettings settings) {
        this.runs = new OutsideRuns(transactions, settings);
        this.manifests = new OutsideManifests(transactions, settings);
        this.extracts = new OutsideExtracts(transactions, settings);
        this.audits = new OutsideAudits(transactions, settings);
        this.publishing = new OutsidePublishing(transactions, settings);
        this.outbox = new OutsideOutbox(transactions, settings);
        this.sweeps = new OutsideSweeps(transactions, settings);
        this.monitor = new OutsideMonitor(transactions, settings, runs);
    }

    /**
     * Opens a run in state CREATED.
     *
     * @throws WeirException {@link ErrorCode#INVALID_HDFS_ROOT}, {@link
     *     ErrorCode#DUPLICATE_ACTIVE_RUN}, {@link ErrorCode#IDEMPOTENCY_KEY_REUSED}
     */
    public OutsideRun create(OutsideRequests.Create request, Actor actor) {
        return runs.create(request, actor);
    }

    /**
     * Registers what the run has to read; the same manifest again gives the same answer.
     *
     * @throws WeirException {@link ErrorCode#MANIFEST_INVALID} after the run became
     *     FAILED_MANIFEST, {@link ErrorCode#RUN_STATUS_MISMATCH}
     */
    public OutsideReplies.Registered register(RunId id, OutsideManifest manifest, Actor actor) {
        return manifests.register(id, manifest, actor);
    }

    /**
     * Ends a run in one of the ways of {@link OutsideStates#FAILURES}.
     *
     * @throws WeirException {@link ErrorCode#FAIL_TRANSITION_NOT_ALLOWED}, {@link
     *     ErrorCode#RUN_STATUS_MISMATCH}
     */
    public OutsideReplies.Changed fail(RunId id, OutsideRequests.Fail request, Actor actor) {
        return runs.fail(id, request, actor);
    }

    /**
     * Ends a run that nobody can have seen yet, because a person wants it.
     *
     * @param expected the state that the person saw; null if none was looked at
     * @throws WeirException {@link ErrorCode#RUN_STATUS_MISMATCH}
     */
    public OutsideReplies.Changed cancel(
            RunId id, @Nullable RunState expected, Operator operator, Actor actor) {
        return runs.cancel(id, expected, operator, actor);
    }

    /** Claims a partition; that it cannot be claimed now is an answer and no error. */
    public OutsideReplies.Claimed claim(
            RunId id, PartitionId partition, OutsideRequests.Claim request, Actor actor) {
        return extracts.claim(id, partition, request, actor);
    }

    /** Where the files of a claim belong, if its flow names files and not paths. */
    public static String claimPath(OutsideRun run, OutsidePartition partition) {
        return OutsideExtracts.claimPath(run, partition);
    }

    /**
     * Says that the worker of a partition is alive.
     *
     * @throws WeirException {@link ErrorCode#CLAIM_MISMATCH}, {@link
     *     ErrorCode#PARTITION_STATUS_MISMATCH}
     */
    public OutsidePartition heartbeat(
            RunId id, PartitionId partition, String token, @Nullable Long epoch, Actor actor) {
        return extracts.heartbeat(id, partition, token, epoch, actor);
    }

    /**
     * Records durable files in order; the one that completes the last partition asks for the
     * validation. What was recorded before one that is refused stays.
     *
     * @param chunks at least one
     * @throws WeirException {@link ErrorCode#CHUNK_INDEX_OUT_OF_RANGE}, {@link
     *     ErrorCode#HDFS_PATH_OUTSIDE_RUN}, {@link ErrorCode#CLAIM_MISMATCH}, {@link
     *     ErrorCode#CHUNK_CONFLICT}, {@link ErrorCode#UNIQUE_VIOLATION}
     */
    public OutsideReplies.Reported report(
            RunId id, PartitionId partition, List<OutsideRequests.Chunk> chunks, Actor actor) {
        return extracts.report(id, partition, chunks, actor);
    }

    /**
     * Fails a partition and with it the run.
     *
     * @throws WeirException {@link ErrorCode#CLAIM_MISMATCH}, {@link
     *     ErrorCode#PARTITION_STATUS_MISMATCH}
     */
    public OutsideReplies.Changed failPartition(
            RunId id, PartitionId partition, OutsideRequests.FailPartition request, Actor actor) {
        return extracts.fail(id, partition, request, actor);
    }

    /**
     * Starts the validation that a dispatch asks for; one caller wins.
     *
     * @throws WeirException {@link ErrorCode#DISPATCH_MISMATCH}
     */
    public OutsideReplies.Started start(
            RunId id, UUID dispatch, @Nullable String owner, Actor actor) {
        return audits.start(id, dispatch, owner, actor);
    }

    /** What the flow measured; the verdict is the stricter of its word and ours. */
    public static OutsideMetric judged(OutsideMetric metric) {
        String verdict = MetricVerdict.of(
                metric.expected(), metric.actual(), metric.tolerance(), metric.result());
        return new OutsideMetric(
                metric.stage(),
                metric.name(),
                metric.queryVersion(),
                metric.expected(),
                metric.actual(),
                metric.tolerance(),
                metric.result(),
                verdict,
                metric.details());
    }

    /**
     * Records figures of STAGING or TARGET.
     *
     * @throws WeirException {@link ErrorCode#RUN_STATUS_MISMATCH}
     */
    public OutsideReplies.Recorded record(
            RunId id, Stage stage, List<OutsideMetric> metrics, Actor actor) {
        return audits.record(
                id, stage, metrics.stream().map(OutsideLedger::judged).toList(), actor);
    }

    /** Moves STAGE_VALIDATING to STAGING_VALIDATED if every figure passed. */
    public OutsideReplies.Gate stageValidated(RunId id, Actor actor) {
        return audits.stageValidated(id, actor);
    }

    /** Whether the caller, under its token, is the one that publishes. */
    public OutsideReplies.Changed claimPublish(RunId id, String token, Actor actor) {
        return publishing.claim(id, token, actor);
    }

    /**
     * Records how publishing ended.
     *
     * @throws WeirException {@link ErrorCode#PUBLISH_TOKEN_MISMATCH}, {@link
     *     ErrorCode#RUN_STATUS_MISMATCH} once somebody else settled it
     */
    public OutsideReplies.Changed publishResult(
            RunId id, OutsideRequests.PublishResult result, Actor actor) {
        return publishing.result(id, result, actor);
    }

    /**
     * Settles a PUBLISH_UNKNOWN run by what a person found, with a finding for each line of {@link
     * #checklist}. Without any evidence only a run is settled whose flow used no newer field.
     *
     * @throws WeirException {@link ErrorCode#RUN_STATUS_MISMATCH}, {@link
     *     ErrorCode#REQUEST_INVALID}
     */
    public OutsideReplies.Changed resolve(
            RunId id, OutsideRequests.Resolve request, Operator operator, Actor actor) {
        return publishing.resolve(id, request, operator, actor);
    }

    /** What a person looks at before settling a PUBLISH_UNKNOWN run. */
    public static List<String> checklist() {
        return OutsidePublishing.CHECKLIST;
    }

    /** Moves PUBLISHED to SUCCESS if every figure of the target passed. */
    public OutsideReplies.Gate succeed(RunId id, @Nullable Long targetCount, Actor actor) {
        return audits.succeed(id, targetCount, actor);
    }

    /** Runs that ended long enough ago, oldest end first. */
    public List<OutsideRun> cleanable(@Nullable String job, int limit) {
        return runs.cleanable(job, limit);
    }

    /**
     * Records that what a run left behind is gone.
     *
     * @throws WeirException {@link ErrorCode#CLEANUP_NOT_DUE}
     */
    public OutsideReplies.Changed cleaned(
            RunId id, @Nullable String droppedTable, @Nullable String deletedPath, Actor actor) {
        return runs.cleaned(id, droppedTable, deletedPath, actor);
    }

    /** Keeps an event that the flow tells. */
    public void tell(RunId id, String level, String name, String message, JsonNode details) {
        runs.tell(id, level, name, message, details);
    }

    public Optional<OutsideRun> find(RunId id) {
        return monitor.find(id);
    }

    public OutsideReplies.Detail detail(RunId id) {
        return monitor.detail(id);
    }

    public List<OutsideRun> runs(RunQuery query) {
        return monitor.list(query);
    }

    public List<OutsideMetric> metrics(RunId id) {
        return monitor.metrics(id);
    }

    /** The newest ones, oldest of them first. */
    public List<OutsideEvent> events(RunId id, int most) {
        return monitor.events(id, most);
    }

    public OutsideReplies.Summary summary() {
        return monitor.summary();
    }

    public OutsideOutbox outbox() {
        return outbox;
    }

    /** Looks after runs whose time is over; one word for each change. */
    public List<String> sweep() {
        return sweeps.sweep();
    }
}
