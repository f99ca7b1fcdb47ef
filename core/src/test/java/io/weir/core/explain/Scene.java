package io.weir.core.explain;

import io.weir.core.ledger.ReadOptions;
import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Cut;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Failure;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Partition;
import io.weir.core.run.PartitionId;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotHolder;
import io.weir.core.run.SnapshotToken;
import io.weir.core.run.WorkerSign;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A situation that tests put together. Without a word it is a run of {@code shop.orders} that was
 * created ten minutes ago, has a lease of 20 seconds and two hours left, a held snapshot, and no
 * worker process.
 */
final class Scene {
    static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    static final RunId RUN = id(1);
    static final RunId OTHER = id(2);
    static final ExplainSettings SETTINGS = new ExplainSettings(
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            5,
            20,
            Duration.ofMinutes(2),
            3,
            Duration.ofSeconds(20),
            Duration.ofMinutes(1));

    private final RunState state;
    private final List<Partition> partitions = new ArrayList<>();
    private final List<Chunk> chunks = new ArrayList<>();
    private final List<Metric> metrics = new ArrayList<>();
    private final List<Dispatch> dispatches = new ArrayList<>();
    private final List<PublishAttempt> attempts = new ArrayList<>();
    private final List<SnapshotHolder> holders = new ArrayList<>();
    private final List<Run> others = new ArrayList<>();
    private final List<WorkerSign> workers = new ArrayList<>();
    private RunId id = RUN;
    private String target = "lake.orders";
    private PublishMode mode = PublishMode.APPEND;
    private RecoveryMode recovery = RecoveryMode.REISSUE;
    private @Nullable Long sourceCount = 1_000L;
    private @Nullable Long publishedSnapshotId;
    private @Nullable Failure failure;
    private @Nullable Instant endedAt;
    private @Nullable Cut cut;
    private @Nullable String owner;
    private @Nullable Instant confirmedAt;
    private @Nullable PublishAttempt blocking;
    private Instant leaseUntil = NOW.plusSeconds(20);
    private Instant deadline = NOW.plus(Duration.ofHours(2));

    private Scene(RunState state) {
        this.state = state;
    }

    static Scene of(RunState state) {
        return new Scene(state).holder("worker-1", NOW.plusSeconds(15));
    }

    static RunId id(int number) {
        return new RunId(new UUID(0x0190_0000_0000_7000L, 0x8000_0000_0000_0000L + number));
    }

    static Instant ago(long seconds) {
        return NOW.minusSeconds(seconds);
    }

    static Instant in(long seconds) {
        return NOW.plusSeconds(seconds);
    }

    Scene run(RunId value, String table) {
        id = value;
        target = table;
        return this;
    }

    Scene replaces() {
        mode = PublishMode.REPLACE;
        return this;
    }

    Scene recovery(RecoveryMode value) {
        recovery = value;
        return this;
    }

    Scene sourceCount(@Nullable Long value) {
        sourceCount = value;
        return this;
    }

    Scene published(long snapshotId) {
        publishedSnapshotId = snapshotId;
        return this;
    }

    Scene failure(String stage, String code, String message) {
        failure = new Failure(stage, code, message);
        return this;
    }

    Scene ended(long secondsAgo) {
        endedAt = ago(secondsAgo);
        return this;
    }

    Scene owner(@Nullable String value) {
        owner = value;
        return this;
    }

    Scene confirmed(long secondsAgo) {
        confirmedAt = ago(secondsAgo);
        return this;
    }

    Scene lease(Instant value) {
        leaseUntil = value;
        return this;
    }

    Scene deadline(Instant value) {
        deadline = value;
        return this;
    }

    Scene cut(int tables, Scene... runs) {
        cut = new Cut(new UUID(0, 7), tables);
        for (Scene other : runs) {
            others.add(other.run());
        }
        return this;
    }

    Scene partition(PartitionState of) {
        return partition(of, 1, NOW.plusSeconds(25), 40, 10);
    }

    /** The next partition; of the words only those that its state has. */
    Scene partition(
            PartitionState of, long epoch, Instant lease, long startedSecondsAgo, long rows) {
        int ordinal = partitions.size();
        boolean claimed = of != PartitionState.PENDING;
        boolean running = of == PartitionState.RUNNING;
        partitions.add(new Partition(
                id,
                PartitionId.ofIndex(ordinal),
                ordinal,
                KeyRange.ALL,
                of,
                1,
                claimed ? epoch : 0,
                claimed ? new UUID(1, ordinal) : null,
                claimed ? "worker-" + (ordinal + 1) : null,
                null,
                running ? rows : 0,
                0,
                0,
                0,
                new Balance(of == PartitionState.SUCCESS ? rows : 0, 0, 0),
                of == PartitionState.FAILED
                        ? new Failure("EXTRACT", "SOURCE_QUERY_FAILED", "Cannot read: no luck.")
                        : null,
                claimed ? ago(startedSecondsAgo) : null,
                of.isTerminal() ? ago(5) : null,
                running ? lease : null));
        return this;
    }

    Scene chunk(ChunkState of) {
        int index = chunks.size();
        chunks.add(new Chunk(
                id,
                PartitionId.ofIndex(0),
                1,
                index,
                "file:///lake/" + index + ".parquet",
                100,
                Balance.ZERO,
                null,
                false,
                of));
        return this;
    }

    Scene metric(Stage stage, String name, @Nullable String expected, @Nullable String actual) {
        return metric(stage, Metric.RUN, MetricName.parse(name), expected, actual);
    }

    Scene metric(
            Stage stage,
            String subject,
            MetricName name,
            @Nullable String expected,
            @Nullable String actual) {
        boolean same = expected != null && expected.equals(actual);
        metrics.add(new Metric(
                stage, subject, name, expected, actual, same ? Verdict.PASS : Verdict.FAIL));
        return this;
    }

    Scene goodMetrics(Stage stage, int number) {
        for (int i = 0; i < number; i++) {
            metric(stage, Metric.RUN, new MetricName(MetricKind.SUM, "c" + i), "1", "1");
        }
        return this;
    }

    Scene dispatch(Dispatch.Kind kind, DispatchState of) {
        boolean waits = of == DispatchState.PENDING;
        return dispatch(kind, 1, of, waits ? 0 : 1, waits ? NOW : ago(20), null);
    }

    /** Created 30 seconds ago; taken at {@code at} if it is SENT, due then if it is PENDING. */
    Scene dispatch(
            Dispatch.Kind kind,
            int cycle,
            DispatchState of,
            int tries,
            Instant at,
            @Nullable String lastError) {
        dispatches.add(new Dispatch(
                new UUID(2, dispatches.size()),
                id,
                kind,
                cycle,
                of,
                tries,
                ago(30),
                at,
                of == DispatchState.SENT ? at : null,
                of == DispatchState.ACKED ? ago(10) : null,
                lastError));
        return this;
    }

    Scene attempt(AttemptState of, @Nullable String evidence) {
        attempts.add(attempt(id, of, evidence));
        return this;
    }

    Scene blocking(AttemptState of, @Nullable String evidence) {
        blocking = attempt(OTHER, of, evidence);
        return this;
    }

    private static PublishAttempt attempt(RunId run, AttemptState of, @Nullable String evidence) {
        return new PublishAttempt("lake.orders", 41, run, new UUID(3, 0), of, 7, 8L, evidence);
    }

    Scene holder(String worker, Instant lease) {
        SnapshotToken token = new SnapshotToken("postgresql-snapshot", "00000003-0000001B-1");
        holders.add(new SnapshotHolder(id, new UUID(4, holders.size()), token, worker, lease));
        return this;
    }

    Scene noHolder() {
        holders.clear();
        return this;
    }

    /** A process that has run for an hour, reads {@code shop}, and gave a sign 3 seconds ago. */
    Scene worker(int slots, int busy) {
        return worker("host-1:42", "shop", slots, busy, 3);
    }

    Scene worker(String name, String source, int slots, int busy, long seenSecondsAgo) {
        return worker(name, source, slots, busy, 3_600, seenSecondsAgo);
    }

    Scene worker(
            String name,
            String source,
            int slots,
            int busy,
            long startedSecondsAgo,
            long seenSecondsAgo) {
        workers.add(new WorkerSign(
                new UUID(5, workers.size()),
                name,
                List.of(source),
                slots,
                busy,
                ago(startedSecondsAgo),
                ago(seenSecondsAgo)));
        return this;
    }

    Run run() {
        return new Run(
                id,
                "orders",
                "2026-11-30",
                state,
                3,
                "shop",
                "shop.orders",
                target,
                mode,
                List.of("id"),
                "file:///lake/run=" + id,
                state == RunState.CREATED
                        ? null
                        : new SnapshotToken("postgresql-snapshot", "00000003-0000001B-1"),
                null,
                null,
                sourceCount,
                partitions.size(),
                0,
                new Balance(1_000, 0, 1),
                null,
                publishedSnapshotId,
                List.of(),
                failure,
                ago(600),
                null,
                publishedSnapshotId == null ? null : ago(60),
                endedAt,
                recovery,
                cut,
                owner,
                confirmedAt,
                null,
                leaseUntil,
                deadline);
    }

    Situation situation() {
        List<Run> runs = new ArrayList<>(others);
        runs.add(0, run());
        RunDetail detail = new RunDetail(
                run(),
                List.of("id", "amount"),
                ReadOptions.NONE,
                partitions,
                chunks,
                metrics,
                dispatches,
                attempts,
                holders,
                runs,
                NOW);
        return new Situation(detail, workers, blocking, SETTINGS);
    }

    Explanation explained() {
        return Explain.of(situation());
    }

    /** The finding of a code; fails if there is none. */
    Finding finding(FindingCode code) {
        Explanation explanation = explained();
        return explanation.findings().stream()
                .filter(finding -> finding.code() == code)
                .findFirst()
                .orElseThrow(() -> new AssertionError("No " + code + " in " + explanation));
    }

    List<FindingCode> codes() {
        return explained().findings().stream().map(Finding::code).toList();
    }
}
