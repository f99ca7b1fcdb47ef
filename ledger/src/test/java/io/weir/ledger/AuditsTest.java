package io.weir.ledger;

import static io.weir.ledger.RunsTest.assertCode;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.Ledger;
import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.Measure;
import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.row.Balance;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Dispatch;
import io.weir.core.run.RunState;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

class AuditsTest {
    private final Ledger ledger = TestBooks.ledger();

    @Test
    void oneOwnerAuditsAndMayAskAgain() {
        RunScript script = RunScript.extracted(1);
        UUID dispatch = ledger.detail(script.id).dispatches().get(0).id();

        assertThat(ledger.startStep(script.id, dispatch, "a")).isTrue();
        assertThat(ledger.startStep(script.id, dispatch, "a")).isTrue();
        assertThat(ledger.startStep(script.id, dispatch, "b")).isFalse();

        RunDetail detail = ledger.detail(script.id);
        assertThat(detail.run().state()).isEqualTo(RunState.STAGE_VALIDATING);
        assertThat(detail.dispatches().get(0).state()).isEqualTo(Dispatch.DispatchState.ACKED);
        assertThat(detail.dispatches().get(0).acknowledgedAt()).isNotNull();
        UUID unknown = UUID.randomUUID();
        assertCode(() -> ledger.startStep(script.id, unknown, "a"), ErrorCode.DISPATCH_NOT_FOUND)
                .isEqualTo("Cannot find dispatch " + unknown + " of run " + script.id
                        + ": the run has no such dispatch");
    }

    @Test
    void eightOwnersAtOnceAreOne() throws Exception {
        RunScript script = RunScript.extracted(1);
        UUID dispatch = ledger.detail(script.id).dispatches().get(0).id();
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String owner = "owner-" + i;
            calls.add(() -> ledger.startStep(script.id, dispatch, owner));
        }

        assertThat(AtOnce.call(calls)).filteredOn(started -> started).hasSize(1);
    }

    @Test
    void passesWhatEqualsTheSource() {
        RunScript script = RunScript.validating(2);
        script.stage();

        Judgement files = ledger.recordFiles(script.id, script.measuredFiles());
        Judgement metrics = ledger.recordMetrics(script.id, Stage.STAGING, script.measures());
        int events = ledger.events(script.id).size();
        ledger.recordFiles(script.id, script.measuredFiles());
        ledger.recordMetrics(script.id, Stage.STAGING, script.measures());
        Judgement staged = ledger.stageValidated(script.id);

        Judgement pass = new Judgement(true, RunState.STAGE_VALIDATING, List.of(), List.of());
        assertThat(files).isEqualTo(pass);
        assertThat(metrics).isEqualTo(pass);
        assertThat(staged)
                .isEqualTo(new Judgement(true, RunState.STAGING_VALIDATED, List.of(), List.of()));
        assertThat(ledger.stageValidated(script.id)).isEqualTo(staged);
        assertThat(ledger.events(script.id).stream().skip(events))
                .extracting("name")
                .containsExactly("STAGE_VALIDATED", "PUBLISH_RUN_ASKED");
        RunDetail detail = ledger.detail(script.id);
        assertThat(detail.chunks()).allSatisfy(chunk -> {
            assertThat(chunk.state()).isEqualTo(ChunkState.VERIFIED);
            assertThat(chunk.measured()).isEqualTo(chunk.balance());
        });
        assertThat(detail.metrics())
                .filteredOn(metric -> metric.stage() == Stage.STAGING)
                .extracting(Metric::verdict)
                .containsOnly(Verdict.PASS)
                .hasSize(5);
    }

    @Test
    void namesFileMetricExpectedAndFoundWhenAValueChanged() {
        RunScript script = RunScript.validating(2);
        script.stage();
        List<FileMeasure> files = script.measuredFiles();
        Balance wrong = new Balance(10, 1, 1);
        files.set(1, new FileMeasure(files.get(1).path(), wrong));

        Judgement judgement = ledger.recordFiles(script.id, files);

        Metric failure = new Metric(
                Stage.STAGING,
                "p=0001/e=1/0001-000000.parquet",
                MetricName.BALANCE,
                RunScript.balance(10).toString(),
                wrong.toString(),
                Verdict.FAIL);
        assertThat(judgement.passed()).isFalse();
        assertThat(judgement.failures()).containsExactly(failure);
        assertThat(judgement.reasons()).containsExactly("FAIL " + failure);
        assertThat(ledger.detail(script.id).chunks())
                .extracting(Chunk::state)
                .containsExactly(ChunkState.VERIFIED, ChunkState.FAILED);
        ledger.recordMetrics(script.id, Stage.STAGING, script.measures());
        assertThat(ledger.stageValidated(script.id).reasons())
                .containsExactly("FAIL " + failure, "UNVERIFIED p=0001/e=1 chunk 0");
        assertThat(script.run().state()).isEqualTo(RunState.STAGE_VALIDATING);

        // Measured again and equal: the failure does not outlive it.
        assertThat(ledger.recordFiles(script.id, script.measuredFiles()).passed())
                .isTrue();
        assertThat(ledger.stageValidated(script.id).passed()).isTrue();
    }

    @Test
    void missesFilesAndFindsStrangers() {
        RunScript script = RunScript.validating(2);
        script.stage();
        List<FileMeasure> files = script.measuredFiles();
        FileMeasure stranger = new FileMeasure("file:///lake/stray.parquet", RunScript.balance(1));
        files.set(0, stranger);

        Judgement judgement = ledger.recordFiles(script.id, files);

        assertThat(judgement.failures())
                .extracting(Metric::toString)
                .containsExactly(
                        "p=0000/e=1/0000-000000.parquet row_count: expected 10, found null",
                        "p=0000/e=1/0000-000000.parquet balance: expected " + RunScript.balance(10)
                                + ", found null",
                        "file:///lake/stray.parquet row_count: expected null, found 1",
                        "file:///lake/stray.parquet balance: expected null, found "
                                + RunScript.balance(1));
    }

    @Test
    void aFileStagedTwiceFails() {
        RunScript script = RunScript.validating(1);
        script.stage();
        List<FileMeasure> files = script.measuredFiles();
        files.add(files.get(0));

        Judgement judgement = ledger.recordFiles(script.id, files);

        assertThat(judgement.failures())
                .extracting(Metric::toString)
                .contains("p=0000/e=1/0000-000000.parquet row_count: expected 10, found 20");
    }

    @Test
    void wantsEveryRequiredMetricAndEveryFile() {
        RunScript script = RunScript.validating(1);
        script.stage();

        Judgement judgement = ledger.recordMetrics(
                script.id, Stage.STAGING, List.of(new Measure(RunScript.SUM_AMOUNT, "99.50")));

        assertThat(judgement.failures())
                .containsExactly(new Metric(
                        Stage.STAGING, "run", RunScript.SUM_AMOUNT, "99.5", "99.50", Verdict.FAIL));
        assertThat(ledger.stageValidated(script.id))
                .isEqualTo(new Judgement(
                        false,
                        RunState.STAGE_VALIDATING,
                        List.of(
                                "MISSING min(note)",
                                "MISSING row_count",
                                "MISSING balance",
                                "MISSING duplicate_keys",
                                "FAIL run sum(amount): expected 99.5, found 99.50",
                                "UNVERIFIED p=0000/e=1 chunk 0"),
                        judgement.failures()));
    }

    @Test
    void nullEqualsOnlyNull() {
        RunScript script = RunScript.validating(1);

        Judgement judgement = ledger.recordMetrics(
                script.id,
                Stage.STAGING,
                List.of(
                        new Measure(RunScript.MIN_NOTE, "null"),
                        new Measure(MetricName.ROW_COUNT, null),
                        new Measure(MetricName.DUPLICATE_KEYS, "3")));

        assertThat(judgement.failures())
                .extracting(Metric::toString)
                .containsExactlyInAnyOrder(
                        "run min(note): expected null, found null",
                        "run row_count: expected 10, found null",
                        "run duplicate_keys: expected 0, found 3");
    }

    @Test
    void refusesMetricsThatNobodyAskedFor() {
        RunScript script = RunScript.validating(1);
        MetricName max = new MetricName(MetricKind.MAX, "amount");
        Measure count = new Measure(MetricName.ROW_COUNT, "10");

        assertCode(
                        () -> ledger.recordMetrics(
                                script.id, Stage.STAGING, List.of(new Measure(max, "1"))),
                        ErrorCode.MANIFEST_INVALID)
                .isEqualTo("Cannot record metric max(amount) of run " + script.id
                        + ": the manifest does not ask for it");
        assertCode(
                        () -> ledger.recordMetrics(script.id, Stage.STAGING, List.of(count, count)),
                        ErrorCode.MANIFEST_INVALID)
                .endsWith("it is given twice");
        assertCode(
                        () -> ledger.recordMetrics(script.id, Stage.SOURCE, List.of(count)),
                        ErrorCode.MANIFEST_INVALID)
                .endsWith("they come with the manifest only");
    }

    @Test
    void measuresOnlyInItsState() {
        RunScript script = RunScript.extracted(1);

        assertCode(() -> ledger.recordFiles(script.id, List.of()), ErrorCode.RUN_STATE_MISMATCH)
                .isEqualTo("Cannot record the files of run " + script.id
                        + ": it is in another state (state=EXTRACTED_VALIDATED,"
                        + " needed=STAGE_VALIDATING)");
        assertCode(
                        () -> ledger.recordMetrics(script.id, Stage.STAGING, List.of()),
                        ErrorCode.RUN_STATE_MISMATCH)
                .startsWith("Cannot record the STAGING metrics of run " + script.id);
        assertCode(
                        () -> ledger.recordMetrics(script.id, Stage.TARGET, List.of()),
                        ErrorCode.RUN_STATE_MISMATCH)
                .endsWith("needed=PUBLISHED)");
        assertThat(ledger.stageValidated(script.id))
                .isEqualTo(new Judgement(
                        false,
                        RunState.EXTRACTED_VALIDATED,
                        List.of("RUN_STATE EXTRACTED_VALIDATED"),
                        List.of()));
    }

    @Test
    void succeedsOnlyAfterTheReadBack() {
        RunScript script = RunScript.toPublish(1);
        var attempt = ledger.claimPublish(script.attempt());
        assertThat(ledger.succeed(script.id).reasons()).containsExactly("RUN_STATE PUBLISHING");
        ledger.publishResult(attempt, PublishOutcome.PUBLISHED, 300L, "fast-forward");

        assertThat(ledger.succeed(script.id).reasons())
                .containsExactly(
                        "MISSING min(note)",
                        "MISSING row_count",
                        "MISSING sum(amount)",
                        "MISSING balance",
                        "MISSING duplicate_keys");
        ledger.recordMetrics(script.id, Stage.TARGET, script.measures());
        Judgement success = ledger.succeed(script.id);

        assertThat(success).isEqualTo(new Judgement(true, RunState.SUCCESS, List.of(), List.of()));
        assertThat(ledger.succeed(script.id)).isEqualTo(success);
        assertThat(script.run().endedAt()).isNotNull();
        assertThat(script.run().publishedSnapshotId()).isEqualTo(300);
    }
}
