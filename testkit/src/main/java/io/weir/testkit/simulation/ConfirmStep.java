package io.weir.testkit.simulation;

import io.weir.core.ledger.Judgement;
import io.weir.core.ledger.RunDetail;
import io.weir.core.metric.Stage;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Failure;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.testkit.simulation.SourceModel.Row;

import java.util.ArrayList;
import java.util.List;

/** Reads what is published back and asks for the verdict. */
final class ConfirmStep {
    private final Steps steps;
    private final Steps.Step step;
    private final World world;
    private final RunId run;

    ConfirmStep(Steps steps, Steps.Step step) {
        this.steps = steps;
        this.step = step;
        this.world = steps.world;
        this.run = step.run;
    }

    void begin(RunDetail detail) {
        Long published = detail.run().publishedSnapshotId();
        if (published == null) {
            step.end();
            return;
        }
        steps.lake.look(
                detail.run().target(),
                state -> steps.work(
                        () -> measure(detail, state.snapshot(published).files())),
                step::end);
    }

    private void measure(RunDetail detail, List<String> live) {
        List<String> own = ValidateStep.filesOf(detail);
        boolean alone =
                detail.run().publishMode() == PublishMode.APPEND || live.size() == own.size();
        List<Row> rows = new ArrayList<>();
        boolean whole = alone && live.containsAll(own);
        for (String path : own) {
            List<Row> content = world.files.read(path).orElse(List.of());
            whole = whole && !content.isEmpty();
            rows.addAll(content);
        }
        if (!whole) {
            fail("other files");
            return;
        }
        if (world.faults.strikes(Fault.HASTY_VERDICT)) {
            steps.port.call(
                    "hasty end of " + Brief.id(run),
                    ledger -> ledger.succeed(run),
                    judgement -> {},
                    refusal -> {});
        }
        steps.port.call(
                "record target of " + Brief.id(run),
                ledger -> ledger.recordMetrics(run, Stage.TARGET, ValidateStep.measuresOf(rows)),
                judgement -> succeed(),
                refusal -> step.end());
    }

    private void succeed() {
        steps.port.call(
                "succeed " + Brief.id(run),
                ledger -> ledger.succeed(run),
                this::judged,
                refusal -> step.end());
    }

    private void judged(Judgement judgement) {
        if (judgement.passed()) {
            world.journal.confirmed(run);
            step.end();
        } else if (judgement.runState() != RunState.PUBLISHED) {
            step.end();
        } else {
            fail(judgement.reasons().toString());
        }
    }

    private void fail(String reason) {
        steps.port.call(
                "fail target of " + Brief.id(run),
                ledger -> ledger.failRun(
                        run,
                        RunState.PUBLISHED,
                        RunState.FAILED_TARGET_VALIDATION,
                        new Failure("TARGET", "VALIDATION_FAILED", reason)),
                ended -> step.end(),
                refusal -> step.end());
    }
}
