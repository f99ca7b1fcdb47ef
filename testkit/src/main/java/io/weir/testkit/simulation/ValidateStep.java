package io.weir.testkit.simulation;

import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishMode;
import io.weir.core.row.Balance;
import io.weir.core.run.Failure;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.testkit.simulation.SourceModel.Row;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stages the files that the ledger lists, measures them, asks for the verdict. */
final class ValidateStep {
    private final Steps steps;
    private final Steps.Step step;
    private final World world;
    private final RunId run;

    ValidateStep(Steps steps, Steps.Step step) {
        this.steps = steps;
        this.step = step;
        this.world = steps.world;
        this.run = step.run;
    }

    void begin(RunDetail detail) {
        steps.lake.look(detail.run().target(), state -> open(detail, state.main()), step::end);
    }

    private void open(RunDetail detail, long base) {
        UUID token = world.random.id();
        steps.port.call(
                "open attempt of " + Brief.id(run),
                ledger -> ledger.openAttempt(run, base, token),
                attempt -> {
                    world.journal.opened(attempt);
                    stage(detail, attempt);
                },
                refusal -> step.end());
    }

    private void stage(RunDetail detail, PublishAttempt attempt) {
        steps.lake.stage(
                attempt,
                detail.run().publishMode(),
                filesOf(detail),
                staged -> steps.port.tell(
                        "record staged of " + Brief.id(run),
                        ledger -> ledger.recordStaged(attempt, staged),
                        () -> steps.work(
                                () -> measure(detail.run().publishMode(), attempt, staged)),
                        refusal -> step.end()),
                step::end);
    }

    static List<String> filesOf(RunDetail detail) {
        List<String> files = new ArrayList<>();
        detail.chunks().forEach(chunk -> {
            String path = chunk.path();
            if (path != null) {
                files.add(path);
            }
        });
        return files;
    }

    /** What is measured are the files that the staged snapshot adds. */
    private void measure(PublishMode mode, PublishAttempt attempt, long staged) {
        LakeState state = world.lake.look(attempt.target());
        List<String> added = new ArrayList<>(state.snapshot(staged).files());
        if (mode == PublishMode.APPEND) {
            added.removeAll(state.snapshot(attempt.baseSnapshotId()).files());
        }
        Optional<List<Row>> rows = read(added);
        if (rows.isEmpty()) {
            fail("a file is missing");
            return;
        }
        List<FileMeasure> files = new ArrayList<>();
        for (String path : added) {
            Balance balance = SourceModel.balanceOf(world.files.read(path).orElse(List.of()));
            files.add(new FileMeasure(path, balance));
        }
        if (world.faults.strikes(Fault.HASTY_VERDICT)) {
            steps.port.call(
                    "hasty verdict of " + Brief.id(run),
                    ledger -> ledger.stageValidated(run),
                    judgement -> {},
                    refusal -> {});
        }
        steps.port.call(
                "record files of " + Brief.id(run),
                ledger -> ledger.recordFiles(run, files),
                judgement -> record(measuresOf(rows.get())),
                refusal -> step.end());
    }

    private Optional<List<Row>> read(List<String> paths) {
        List<Row> rows = new ArrayList<>();
        for (String path : paths) {
            Optional<List<Row>> content = world.files.read(path);
            if (content.isEmpty()) {
                return Optional.empty();
            }
            rows.addAll(content.get());
        }
        return Optional.of(rows);
    }

    static List<Measure> measuresOf(List<Row> rows) {
        long keys = rows.stream().map(Row::id).distinct().count();
        return List.of(
                new Measure(MetricName.ROW_COUNT, Integer.toString(rows.size())),
                new Measure(Ranges.SUM, Ranges.sum(rows)),
                new Measure(MetricName.BALANCE, SourceModel.balanceOf(rows).toString()),
                new Measure(MetricName.DUPLICATE_KEYS, Long.toString(rows.size() - keys)));
    }

    private void record(List<Measure> measures) {
        steps.port.call(
                "record metrics of " + Brief.id(run),
                ledger -> ledger.recordMetrics(run, Stage.STAGING, measures),
                judgement -> verdict(),
                refusal -> step.end());
    }

    private void verdict() {
        steps.port.call(
                "verdict of " + Brief.id(run),
                ledger -> ledger.stageValidated(run),
                this::judged,
                refusal -> step.end());
    }

    private void judged(Judgement judgement) {
        if (judgement.passed() || judgement.runState() != RunState.STAGE_VALIDATING) {
            step.end();
        } else {
            fail(judgement.reasons().toString());
        }
    }

    private void fail(String reason) {
        steps.port.call(
                "fail validation of " + Brief.id(run),
                ledger -> ledger.failRun(
                        run,
                        RunState.STAGE_VALIDATING,
                        RunState.FAILED_STAGE_VALIDATION,
                        new Failure("STAGING", "VALIDATION_FAILED", reason)),
                ended -> step.end(),
                refusal -> step.end());
    }
}
