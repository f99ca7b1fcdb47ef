package io.weir.testkit.ledger;

import io.weir.core.metric.Metric;
import io.weir.core.metric.Verdict;
import io.weir.core.publish.AttemptState;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Cut;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionState;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.run.RunRow;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** The checks of the schema, each under the name that it has there. */
final class RowChecks {
    private static final Set<RunState> WITHOUT_MANIFEST = EnumSet.of(
            RunState.CREATED, RunState.FAILED_MANIFEST, RunState.TIMED_OUT, RunState.CANCELLED);
    private static final Set<RunState> ARRIVED = EnumSet.of(
            RunState.EXTRACTED_VALIDATED,
            RunState.STAGE_VALIDATING,
            RunState.STAGING_VALIDATED,
            RunState.PUBLISHING,
            RunState.PUBLISH_UNKNOWN,
            RunState.PUBLISHED,
            RunState.SUCCESS);
    private static final Set<RunState> VISIBLE =
            EnumSet.of(RunState.PUBLISHED, RunState.SUCCESS, RunState.FAILED_TARGET_VALIDATION);
    private static final Set<RunState> OWNED =
            EnumSet.of(RunState.STAGE_VALIDATING, RunState.PUBLISHING);

    private final Set<String> dropped;

    RowChecks(Set<String> dropped) {
        this.dropped = Set.copyOf(dropped);
    }

    boolean holds(String constraint) {
        return !dropped.contains(constraint);
    }

    void require(String constraint, boolean held) {
        if (!held && holds(constraint)) {
            throw new ConstraintViolation(constraint);
        }
    }

    void run(RunRow row) {
        Run run = row.run();
        RunState state = run.state();
        require("run_ended_exactly_when_terminal", (run.endedAt() == null) == state.isActive());
        require(
                "run_reads_only_with_manifest",
                WITHOUT_MANIFEST.contains(state)
                        || (row.manifestDigest() != null
                                && run.snapshot() != null
                                && run.sourceCount() != null
                                && run.partitionCount() > 0));
        Long count = run.sourceCount();
        require(
                "run_goes_on_only_when_everything_arrived",
                !ARRIVED.contains(state)
                        || (run.succeededPartitions() == run.partitionCount()
                                && count != null
                                && run.extracted().rows() == count));
        require(
                "run_published_names_its_snapshot",
                !VISIBLE.contains(state)
                        || (run.publishedSnapshotId() != null && run.publishedAt() != null));
        require(
                "run_counts_are_possible",
                (count == null || count >= 0)
                        && run.extracted().rows() >= 0
                        && row.lease().toMillis() > 0
                        && run.succeededPartitions() >= 0
                        && run.succeededPartitions() <= run.partitionCount());
        Cut cut = run.cut();
        require("run_cut_has_tables", cut == null || cut.tables() > 0);
        require("run_step_has_an_owner", !OWNED.contains(state) || run.owner() != null);
        require(
                "run_succeeds_only_when_confirmed",
                state != RunState.SUCCESS || run.confirmedAt() != null);
        require("run_cleaned_only_when_ended", run.cleanedAt() == null || run.endedAt() != null);
        require(
                "run_confirmed_only_when_published",
                run.confirmedAt() == null || run.publishedAt() != null);
    }

    void partition(Partition partition) {
        PartitionState state = partition.state();
        require(
                "partition_token_from_first_claim",
                (partition.token() == null) == (partition.epoch() == 0));
        require(
                "partition_lease_exactly_when_running",
                (partition.leaseUntil() != null) == (state == PartitionState.RUNNING));
        require(
                "partition_ended_exactly_when_terminal",
                (partition.endedAt() != null) == state.isTerminal());
        Long expected = partition.expectedRows();
        boolean success = state == PartitionState.SUCCESS;
        require(
                "partition_success_has_expected_rows",
                !success || expected == null || partition.balance().rows() == expected);
        require("partition_success_has_chunks", !success || partition.chunkCount() > 0);
        require(
                "partition_counts_are_possible",
                partition.epoch() >= 0
                        && (expected == null || expected >= 0)
                        && partition.chunkCount() >= 0
                        && partition.bytes() >= 0
                        && partition.balance().rows() >= 0);
    }

    void chunk(ChunkRow row) {
        Chunk chunk = row.chunk();
        Balance balance = chunk.balance();
        boolean alone = chunk.index() == 0 && chunk.last();
        require(
                "chunk_without_file_has_no_rows",
                chunk.bytes() > 0 || (balance.rows() == 0 && alone));
        require(
                "chunk_without_rows_has_no_digests",
                balance.rows() > 0 || balance.digestSum().signum() == 0);
        require(
                "chunk_verified_is_equality",
                chunk.state() != ChunkState.VERIFIED || balance.equals(chunk.measured()));
        require(
                "chunk_counts_are_possible",
                chunk.epoch() > 0
                        && chunk.index() >= 0
                        && chunk.bytes() >= 0
                        && balance.rows() >= 0);
    }

    void metric(Metric metric) {
        boolean equal = Objects.equals(metric.expected(), metric.actual());
        require(
                "metric_verdict_is_equality",
                metric.verdict() == (equal ? Verdict.PASS : Verdict.FAIL));
    }

    void dispatch(Dispatch dispatch) {
        DispatchState state = dispatch.state();
        require(
                "dispatch_acknowledged_exactly_when_acked",
                (dispatch.acknowledgedAt() != null) == (state == DispatchState.ACKED));
        require(
                "dispatch_sent_names_its_time",
                state != DispatchState.SENT || dispatch.sentAt() != null);
        require("dispatch_counts_are_possible", dispatch.cycle() > 0 && dispatch.attempts() >= 0);
    }

    void attempt(AttemptRow row) {
        AttemptState state = row.attempt().state();
        boolean tried = state == AttemptState.PUBLISHED
                || state == AttemptState.FAILED
                || state == AttemptState.UNKNOWN;
        require(
                "publish_attempt_evidence_exactly_when_tried",
                (row.attempt().evidence() != null) == tried);
    }
}
