package io.weir.client.wire;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.Claim;
import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Progress;
import io.weir.core.ledger.RunFilter;
import io.weir.core.metric.Measure;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Failure;
import io.weir.core.run.PartitionId;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;
import io.weir.core.run.StreamTransaction;
import io.weir.core.run.WorkerSign;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The arguments of the calls; each component is a field of the document. */
public final class Questions {
    private static final int MOST = 100_000;

    private Questions() {}

    private static void needReason(String reason) {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("reason is blank");
        }
    }

    private static void needBound(int most) {
        if (most < 1 || most > MOST) {
            throw new IllegalArgumentException("not 1 to " + MOST + " rows: " + most);
        }
    }

    /** A call without arguments. */
    public record Nothing() {}

    /** A call about one run and nothing else. */
    public record OfRun(RunId runId) {}

    public record CreateRun(io.weir.core.ledger.CreateRun request) {}

    public record HeartbeatRun(RunId runId, @Nullable String owner) {}

    public record HoldSnapshot(RunId runId, UUID holder, SnapshotToken token, String worker) {}

    public record ReleaseSnapshot(RunId runId, UUID holder) {}

    public record SignWorker(WorkerSign sign) {}

    public record RegisterManifest(RunId runId, io.weir.core.ledger.Manifest manifest) {}

    public record ClaimNext(RunId runId, UUID token, String worker) {}

    public record ClaimOne(RunId runId, PartitionId partitionId, UUID token, String worker) {}

    public record Heartbeat(Claim claim, Progress progress) {}

    public record ReportChunks(Claim claim, List<ChunkReport> chunks) {}

    public record FailPartition(Claim claim, Failure failure) {}

    public record StartStep(RunId runId, UUID dispatchId, String owner) {}

    public record OpenAttempt(RunId runId, long baseSnapshotId, UUID token) {}

    public record RecordStaged(PublishAttempt attempt, long stagedSnapshotId) {}

    public record RecordFiles(RunId runId, List<FileMeasure> files) {}

    public record RecordMetrics(RunId runId, Stage stage, List<Measure> measures) {}

    public record ClaimPublish(PublishAttempt attempt) {}

    public record RenewAttempt(PublishAttempt attempt, long baseSnapshotId, UUID token) {}

    public record PublishResult(
            PublishAttempt attempt,
            PublishOutcome outcome,
            @Nullable Long publishedSnapshotId,
            String evidence) {}

    public record FailRun(RunId runId, RunState expected, RunState failState, Failure failure) {}

    /** Who wants it is said by the token, not by the caller. */
    public record CancelRun(RunId runId, RunState expected, String reason) {
        public CancelRun {
            needReason(reason);
        }
    }

    /** Who wants it is said by the token, not by the caller. */
    public record ResendDispatch(RunId runId, UUID dispatchId, String reason) {
        public ResendDispatch {
            needReason(reason);
        }
    }

    public record Cleanable(Duration succeeded, Duration failed, int most) {
        public Cleanable {
            needBound(most);
        }
    }

    public record Runs(RunFilter filter) {
        public Runs {
            needBound(filter.limit());
        }
    }

    public record LeaseDispatches(int most) {
        public LeaseDispatches {
            needBound(most);
        }
    }

    /** A call about one open transaction and nothing else. */
    public record OfStream(UUID id) {}

    public record OpenStream(StreamTransaction begun) {}

    public record ProlongStream(UUID id, long records) {}

    /** Who wants it is said by the token, not by the caller. */
    public record AbortStream(UUID id, String reason) {
        public AbortStream {
            needReason(reason);
        }
    }

    public record SettleDispatch(Dispatch leased, Delivery delivery) {}
}
