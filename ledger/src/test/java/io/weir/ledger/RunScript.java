package io.weir.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.ChunkReport;
import io.weir.core.ledger.CreateRun;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.ReportReply;
import io.weir.core.ledger.WorkOrder;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.run.Bound;
import io.weir.core.run.Chunk;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.core.run.Loss;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Position;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.core.run.SnapshotToken;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Walks a run of its own job to any state, ten rows per partition. */
final class RunScript {
    static final MetricName SUM_AMOUNT = new MetricName(MetricKind.SUM, "amount");
    static final MetricName MIN_NOTE = new MetricName(MetricKind.MIN, "note");
    static final long ROWS = 10;

    final Ledger ledger;
    final CreateRun request;
    final RunId id;

    private RunScript(Ledger ledger, CreateRun request) {
        this.ledger = ledger;
        this.request = request;
        this.id = ledger.createRun(request).id();
    }

    static RunScript created() {
        return created(TestBooks.ledger(), request("job-" + UUID.randomUUID()));
    }

    static RunScript created(Ledger ledger, CreateRun request) {
        return new RunScript(ledger, request);
    }

    static RunScript extracting(int partitions) {
        RunScript script = created();
        script.ledger.registerManifest(script.id, manifest(partitions));
        return script;
    }

    static RunScript extracted(int partitions) {
        RunScript script = extracting(partitions);
        for (int i = 0; i < partitions; i++) {
            script.complete(script.claim());
        }
        assertThat(script.run().state()).isEqualTo(RunState.EXTRACTED_VALIDATED);
        return script;
    }

    static RunScript validating(int partitions) {
        RunScript script = extracted(partitions);
        UUID dispatch = script.ledger.detail(script.id).dispatches().get(0).id();
        assertThat(script.ledger.startValidation(script.id, dispatch, "auditor"))
                .isTrue();
        return script;
    }

    /** Audited, with a staged attempt. */
    static RunScript validated(int partitions) {
        RunScript script = validating(partitions);
        script.pass();
        return script;
    }

    static CreateRun request(String job) {
        return new CreateRun(
                UUID.randomUUID().toString(),
                job,
                "2026-11-29",
                "shop",
                "public.orders",
                "sales." + job,
                PublishMode.REPLACE,
                "file:///lake/" + job + "/data/",
                false,
                Duration.ofMinutes(2));
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
                index,
                "c" + index + ".parquet",
                1000 + rows,
                balance(rows),
                List.of(new Loss("price", 1)),
                last);
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

    void pass() {
        stage();
        assertThat(ledger.recordFiles(id, measuredFiles()).passed()).isTrue();
        assertThat(ledger.recordMetrics(id, Stage.STAGING, measures()).passed()).isTrue();
        assertThat(ledger.stageValidated(id).passed()).isTrue();
    }
}
