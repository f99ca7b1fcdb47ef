package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.ReadOptions;
import io.weir.core.ledger.ReportReply;
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
import io.weir.core.run.Dispatch.Kind;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Loss;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Position;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Walks a run of its own job to any state, ten rows per partition. */
final class RunScript {
    static final MetricName SUM_AMOUNT = new MetricName(MetricKind.SUM, "amount");
    static final MetricName MIN_NOTE = new MetricName(MetricKind.MIN, "note");
    static final long ROWS = 10;

    final Ledger ledger;
    final CreateRun request;
    final RunId id;

    private RunScript(Ledger ledger, CreateRun request, RunId id) {
        this.ledger = ledger;
        this.request = request;
        this.id = id;
    }

    static RunScript created() {
        return created(TestBooks.ledger(), request("job-" + UUID.randomUUID()));
    }

    static RunScript created(Ledger ledger, CreateRun request) {
        return new RunScript(ledger, request, ledger.createRun(request).id());
    }

    /** A run that somebody else created. */
    static RunScript found(Ledger ledger, RunId id) {
        return new RunScript(ledger, request(ledger.detail(id).run().job()), id);
    }

    static RunScript extracting(int partitions) {
        return created().register(partitions);
    }

    static RunScript extracted(int partitions) {
        return extracting(partitions).extract();
    }

    RunScript register(int partitions) {
        ledger.registerManifest(id, manifest(partitions));
        return this;
    }

    /** A process keeps the snapshot of the run. */
    RunScript hold() {
        SnapshotToken token = Objects.requireNonNull(run().snapshot());
        ledger.holdSnapshot(id, UUID.randomUUID(), token, "coordinator");
        return this;
    }

    /** Every partition arrives. */
    RunScript extract() {
        while (run().state() == RunState.EXTRACTING) {
            complete(claim());
        }
        assertThat(run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        return this;
    }

    /** Somebody takes up the step that the outbox asks for. */
    RunScript start(Kind kind) {
        assertThat(ledger.startStep(id, open(kind).id(), "owner of " + kind)).isTrue();
        return this;
    }

    /** The row of the outbox that waits for somebody. */
    Dispatch open(Kind kind) {
        return ledger.detail(id).dispatches().stream()
                .filter(dispatch -> dispatch.kind() == kind && dispatch.state().isOpen())
                .findFirst()
                .orElseThrow();
    }

    /** The outbox in order, such as {@code VALIDATE_RUN 1 ACKED}. */
    List<String> outbox() {
        return ledger.detail(id).dispatches().stream()
                .map(row -> row.kind() + " " + row.cycle() + " " + row.state())
                .toList();
    }

    static RunScript validating(int partitions) {
        return extracted(partitions).start(Kind.VALIDATE_RUN);
    }

    /** Audited, with a staged attempt; nobody publishes it yet. */
    static RunScript validated(int partitions) {
        return validating(partitions).pass();
    }

    /** Somebody was called to publish it. */
    static RunScript toPublish(int partitions) {
        return validated(partitions).start(Kind.PUBLISH_RUN);
    }

    static CreateRun request(String job) {
        return request(job, RecoveryMode.REISSUE, null);
    }

    static CreateRun request(String job, RecoveryMode recovery, @Nullable Cut cut) {
        return new CreateRun(
                UUID.randomUUID().toString(),
                job,
                "2026-11-29",
                "shop",
                "public.orders",
                "sales." + job + (cut == null ? "" : UUID.randomUUID()),
                PublishMode.REPLACE,
                "file:///lake/" + job + "/data/",
                false,
                Duration.ofMinutes(2),
                Duration.ofHours(6),
                recovery,
                cut);
    }

    static Manifest manifest(int partitions) {
        return manifest(partitions, partitions * ROWS, ROWS);
    }

    static Manifest manifest(int partitions, long sourceCount, @Nullable Long expectedRows) {
        List<Manifest.Part> parts = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            Bound lower = i == 0 ? null : new Bound("ctid", "(" + i + ",0)");
            Bound upper = i == partitions - 1 ? null : new Bound("ctid", "(" + (i + 1) + ",0)");
            parts.add(new Manifest.Part(
                    PartitionId.ofIndex(i), KeyRange.between(lower, upper), expectedRows));
        }
        return new Manifest(
                new SnapshotToken("postgresql-snapshot", "00000003-00000002-1"),
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

    Run run() {
        return ledger.detail(id).run();
    }

    WorkOrder claim() {
        return ledger.claimNext(id, UUID.randomUUID(), "worker").orElseThrow();
    }

    ReportReply complete(WorkOrder order) {
        return ledger.reportChunks(order.claim(), List.of(chunk(0, ROWS, true)));
    }

    static ChunkReport chunk(int index, long rows, boolean last) {
        return new ChunkReport(
                index, 1000 + rows, balance(rows), List.of(new Loss("price", 1)), last);
    }

    /** Large digests, so that sums pass 2^128. */
    static Balance balance(long rows) {
        return new Balance(rows, -rows, 7 * rows);
    }

    List<FileMeasure> measuredFiles() {
        List<FileMeasure> files = new ArrayList<>();
        for (Chunk chunk : ledger.detail(id).chunks()) {
            if (chunk.path() != null) {
                files.add(new FileMeasure(chunk.path(), chunk.balance()));
            }
        }
        return files;
    }

    List<Measure> measures() {
        Run run = run();
        return List.of(
                new Measure(MetricName.ROW_COUNT, String.valueOf(run.sourceCount())),
                new Measure(SUM_AMOUNT, "99.5"),
                new Measure(MIN_NOTE, null),
                new Measure(MetricName.BALANCE, run.extracted().toString()),
                new Measure(MetricName.DUPLICATE_KEYS, "0"));
    }

    PublishAttempt stage() {
        PublishAttempt attempt = ledger.openAttempt(id, 100, UUID.randomUUID());
        ledger.recordStaged(attempt, 200);
        return attempt;
    }

    /** The attempt that was staged last. */
    PublishAttempt attempt() {
        List<PublishAttempt> attempts = ledger.detail(id).attempts();
        return attempts.get(attempts.size() - 1);
    }

    /** Stages and audits. */
    RunScript pass() {
        measure();
        assertThat(ledger.stageValidated(id).passed()).isTrue();
        return this;
    }

    /** All of the audit but its verdict. */
    void measure() {
        stage();
        assertThat(ledger.recordFiles(id, measuredFiles()).passed()).isTrue();
        assertThat(ledger.recordMetrics(id, Stage.STAGING, measures()).passed()).isTrue();
    }

    /** From the call to publish to PUBLISHED. */
    RunScript publish() {
        start(Kind.PUBLISH_RUN);
        PublishAttempt open = ledger.claimPublish(attempt());
        Run run = ledger.publishResult(open, PublishOutcome.PUBLISHED, 300L, "seen");
        assertThat(run.state()).isEqualTo(RunState.PUBLISHED);
        return this;
    }

    /** Reads back what is published. */
    Judgement confirm() {
        start(Kind.CONFIRM_RUN);
        ledger.recordMetrics(id, Stage.TARGET, measures());
        return ledger.succeed(id);
    }
}
