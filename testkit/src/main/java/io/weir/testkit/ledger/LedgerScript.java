package io.weir.testkit.ledger;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.ReadOptions;
import io.weir.core.ledger.ReportReply;
import io.weir.core.ledger.RunDetail;
import io.weir.core.ledger.WorkLedger;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.row.Balance;
import io.weir.core.run.Bound;
import io.weir.core.run.Chunk;
import io.weir.core.run.Consistency;
import io.weir.core.run.Cut;
import io.weir.core.run.Dispatch;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Loss;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Position;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.SnapshotToken;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** One run and the calls that move it, ten rows for each partition. */
public final class LedgerScript {
    public static final long ROWS = 10;
    public static final Duration LEASE = Duration.ofMinutes(2);
    public static final Duration TIMEOUT = Duration.ofHours(1);
    public static final MetricName SUM_AMOUNT = new MetricName(MetricKind.SUM, "amount");
    public static final MetricName MIN_NOTE = new MetricName(MetricKind.MIN, "note");

    private final WorkLedger ledger;
    private final RunId id;

    public LedgerScript(WorkLedger ledger, CreateRun request) {
        this.ledger = ledger;
        this.id = ledger.createRun(request).id();
    }

    /** A request for a run of a job and target of its own. */
    public static CreateRun request(String job) {
        return request(job, "sales." + job, RecoveryMode.REISSUE, null);
    }

    public static CreateRun request(
            String job, String target, RecoveryMode recovery, @Nullable Cut cut) {
        return new CreateRun(
                "key-" + job + "-" + target,
                job,
                "2026-11-29",
                "shop",
                "public.orders",
                target,
                PublishMode.REPLACE,
                "file:///lake/" + job + "/data/",
                false,
                LEASE,
                TIMEOUT,
                recovery,
                cut);
    }

    public static CreateRun withKey(CreateRun request, String key) {
        return new CreateRun(
                key,
                request.job(),
                request.businessKey(),
                request.source(),
                request.sourceTable(),
                request.target(),
                request.publishMode(),
                request.dataRoot(),
                request.allowEmpty(),
                request.lease(),
                request.timeout(),
                request.recovery(),
                request.cut());
    }

    public static Manifest manifest(int partitions) {
        return manifest(partitions, partitions * ROWS, ROWS);
    }

    public static Manifest manifest(int partitions, long sourceCount, @Nullable Long expectedRows) {
        List<Manifest.Part> parts = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            Bound lower = i == 0 ? null : new Bound("ctid", "(" + i + ",0)");
            Bound upper = i == partitions - 1 ? null : new Bound("ctid", "(" + (i + 1) + ",0)");
            parts.add(new Manifest.Part(
                    PartitionId.ofIndex(i), KeyRange.between(lower, upper), expectedRows));
        }
        return new Manifest(
                new SnapshotToken(SnapshotToken.POSTGRESQL, "00000003-00000002-1"),
                new Position("lsn", "0/16B3748"),
                Consistency.SAME_SNAPSHOT,
                sourceCount,
                List.of("id", "amount", "note"),
                List.of("id"),
                ReadOptions.NONE,
                List.of(
                        new Measure(MetricName.ROW_COUNT, Long.toString(sourceCount)),
                        new Measure(SUM_AMOUNT, "99.5"),
                        new Measure(MIN_NOTE, null)),
                parts);
    }

    /** Large digests, so that sums pass 2^128. */
    public static Balance balance(long rows) {
        return new Balance(rows, -rows, 7 * rows);
    }

    public static ChunkReport chunk(int index, long rows, boolean last) {
        return new ChunkReport(
                index, 1000 + rows, balance(rows), List.of(new Loss("price", 1)), last);
    }

    public RunId id() {
        return id;
    }

    public RunDetail detail() {
        return ledger.detail(id);
    }

    public Run run() {
        return detail().run();
    }

    public LedgerScript extracting(int partitions) {
        ledger.holdSnapshot(
                id,
                new UUID(7, id.value().getLeastSignificantBits()),
                new SnapshotToken(SnapshotToken.POSTGRESQL, "00000003-00000002-1"),
                "coordinator");
        ledger.registerManifest(id, manifest(partitions));
        return this;
    }

    public WorkOrder claim(UUID token) {
        return ledger.claimNext(id, token, "worker").orElseThrow();
    }

    public ReportReply complete(WorkOrder order) {
        return ledger.reportChunks(order.claim(), List.of(chunk(0, ROWS, true)));
    }

    public LedgerScript extracted(int partitions) {
        extracting(partitions);
        for (int i = 0; i < partitions; i++) {
            complete(claim(new UUID(1, i)));
        }
        return this;
    }

    /** The newest row of the outbox. */
    public Dispatch dispatch() {
        List<Dispatch> all = detail().dispatches();
        return all.stream().filter(row -> row.state().isOpen()).findFirst().orElse(all.get(0));
    }

    public boolean start(String owner) {
        return ledger.startStep(id, dispatch().id(), owner);
    }

    public PublishAttempt stage(UUID token) {
        PublishAttempt attempt = ledger.openAttempt(id, 100, token);
        ledger.recordStaged(attempt, 200);
        return attempt.withStaged(200);
    }

    public List<FileMeasure> measuredFiles() {
        List<FileMeasure> files = new ArrayList<>();
        for (Chunk chunk : detail().chunks()) {
            String path = chunk.path();
            if (path != null) {
                files.add(new FileMeasure(path, chunk.balance()));
            }
        }
        return files;
    }

    public List<Measure> measures() {
        Run run = run();
        return List.of(
                new Measure(MetricName.ROW_COUNT, String.valueOf(run.sourceCount())),
                new Measure(SUM_AMOUNT, "99.5"),
                new Measure(MIN_NOTE, null),
                new Measure(MetricName.BALANCE, run.extracted().toString()),
                new Measure(MetricName.DUPLICATE_KEYS, "0"));
    }

    /** The attempt with the highest epoch. */
    public PublishAttempt attempt() {
        List<PublishAttempt> attempts = detail().attempts();
        return attempts.get(attempts.size() - 1);
    }

    /** Audited, with a staged attempt; asks for PUBLISH_RUN. */
    public LedgerScript audited(int partitions) {
        extracted(partitions);
        start("auditor");
        stage(new UUID(2, 0));
        ledger.recordFiles(id, measuredFiles());
        ledger.recordMetrics(id, Stage.STAGING, measures());
        ledger.stageValidated(id);
        return this;
    }

    /** One owner may commit. */
    public LedgerScript publishing(int partitions) {
        audited(partitions);
        start("publisher");
        ledger.claimPublish(attempt());
        return this;
    }

    /** The target shows it; asks for CONFIRM_RUN. */
    public LedgerScript published(int partitions) {
        publishing(partitions);
        ledger.publishResult(attempt(), PublishOutcome.PUBLISHED, 300L, "main is 300");
        return this;
    }

    /** Reads back and finishes. */
    public LedgerScript confirm() {
        start("reader");
        ledger.recordMetrics(id, Stage.TARGET, measures());
        ledger.succeed(id);
        return this;
    }
}
