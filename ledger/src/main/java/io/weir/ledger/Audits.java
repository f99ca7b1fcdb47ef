package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.FileMeasure;
import io.weir.core.ledger.Judgement;
import io.weir.core.metric.Measure;
import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.run.Chunk;
import io.weir.core.run.ChunkState;
import io.weir.core.run.Cut;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Steps;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.chunk.ChunkRow;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.metric.FileRules;
import io.weir.ledger.metric.MetricRules;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunMachine;
import io.weir.ledger.run.RunRow;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Measurements get into the books and the ledger judges them; nobody else's verdict counts. */
final class Audits {
    private static final int UNVERIFIED_NAMED_MAX = 20;

    private final Transactions transactions;

    Audits(Transactions transactions) {
        this.transactions = transactions;
    }

    Judgement files(RunId runId, List<FileMeasure> files) {
        return transactions.run(
                "record the files of run " + runId, books -> files(books, runId, files));
    }

    private static Judgement files(Books books, RunId runId, List<FileMeasure> files) {
        Run run = lockIn(books, runId, RunState.STAGE_VALIDATING, "record the files");
        List<ChunkRow> counted = books.chunks().counted(runId);
        List<Metric> stored = books.metrics().ofRun(runId);
        FileRules rules = FileRules.judge(run, counted, files, stored);
        List<ChunkRow> before = new ArrayList<>();
        List<ChunkRow> after = new ArrayList<>();
        for (int i = 0; i < counted.size(); i++) {
            if (!counted.get(i).equals(rules.chunks().get(i))) {
                before.add(counted.get(i));
                after.add(rules.chunks().get(i));
            }
        }
        List<RowChange> changes = new ArrayList<>(books.chunks().updateAll(before, after));
        changes.addAll(upsertChanged(books, runId, stored, rules.metrics()));
        if (!changes.isEmpty()) {
            books.record(books.now(), runId, null, "FILES_RECORDED", changes);
        }
        List<Metric> failures = rules.failures();
        return new Judgement(
                failures.isEmpty(),
                run.state(),
                failures.stream().map(failure -> "FAIL " + failure).toList(),
                failures);
    }

    Judgement metrics(RunId runId, Stage stage, List<Measure> measures) {
        return transactions.run(
                "record the metrics of run " + runId,
                books -> metrics(books, runId, stage, measures));
    }

    private static Judgement metrics(
            Books books, RunId runId, Stage stage, List<Measure> measures) {
        RunState needed = stateOf(runId, stage);
        Run run = lockIn(books, runId, needed, "record the " + stage + " metrics");
        List<Metric> stored = books.metrics().ofRun(runId);
        Map<MetricName, @Nullable String> required = MetricRules.required(run, stored);
        List<Metric> judged = MetricRules.judge(run, stage, required, measures);
        List<RowChange> changes = upsertChanged(books, runId, stored, judged);
        if (!changes.isEmpty()) {
            books.record(books.now(), runId, null, "METRICS_RECORDED", changes);
        }
        return judgement(run, stage, required, books.metrics().ofRun(runId));
    }

    Judgement stageValidated(RunId runId) {
        return transactions.run(
                "validate the staged files of run " + runId,
                books -> pass(books, runId, Stage.STAGING));
    }

    Judgement succeed(RunId runId) {
        return transactions.run("finish run " + runId, books -> pass(books, runId, Stage.TARGET));
    }

    private static Judgement pass(Books books, RunId runId, Stage stage) {
        List<RunRow> cut = books.lockCut(runId);
        RunRow row = own(cut, runId);
        Run run = row.run();
        Instant now = books.now();
        RunCommand command = stage == Stage.STAGING
                ? new RunCommand.PassStaging()
                : new RunCommand.Confirm(isLast(cut, runId));
        Decision<RunRow> decision = RunMachine.decide(row, command, now);
        if (decision.isRefused()) {
            return new Judgement(
                    false, run.state(), List.of("RUN_STATE " + run.state()), List.of());
        }
        if (decision.rowOrThrow().run().version() == run.version()) {
            // Judged before; the measurements of that time stay in the books.
            return new Judgement(true, run.state(), List.of(), List.of());
        }
        List<Metric> stored = books.metrics().ofRun(runId);
        Judgement judgement = judgement(run, stage, MetricRules.required(run, stored), stored);
        List<String> reasons = new ArrayList<>(judgement.reasons());
        if (stage == Stage.STAGING) {
            reasons.addAll(unverified(books.chunks().counted(runId)));
        }
        if (!reasons.isEmpty()) {
            return new Judgement(false, run.state(), reasons, judgement.failures());
        }
        RunRow after = books.applyDecided(row, decision, now, next -> List.of());
        if (stage == Stage.STAGING) {
            Steps.openGate(books, books.cutOf(after.run()), now);
        } else if (after.run().state() == RunState.SUCCESS) {
            succeedOthers(books, cut, runId, now);
        }
        return new Judgement(true, after.run().state(), List.of(), List.of());
    }

    private static RunRow own(List<RunRow> cut, RunId runId) {
        return cut.stream()
                .filter(member -> member.run().id().equals(runId))
                .findFirst()
                .orElseThrow();
    }

    /** Whether every other run of the cut was read back. */
    private static boolean isLast(List<RunRow> cut, RunId runId) {
        Cut terms = own(cut, runId).run().cut();
        boolean whole = terms == null || terms.tables() == cut.size();
        return whole
                && cut.stream()
                        .map(RunRow::run)
                        .filter(other -> !other.id().equals(runId))
                        .allMatch(other ->
                                other.state() == RunState.PUBLISHED && other.confirmedAt() != null);
    }

    private static void succeedOthers(Books books, List<RunRow> cut, RunId runId, Instant now) {
        for (RunRow other : cut) {
            if (!other.run().id().equals(runId)) {
                books.apply(other, new RunCommand.Confirm(true), now);
            }
        }
    }

    private static Judgement judgement(
            Run run, Stage stage, Map<MetricName, @Nullable String> required, List<Metric> stored) {
        List<String> reasons = MetricRules.reasons(stage, required, stored);
        return new Judgement(
                reasons.isEmpty(), run.state(), reasons, MetricRules.failures(stage, stored));
    }

    /** Files whose balance nobody compared, or that differ. */
    private static List<String> unverified(List<ChunkRow> chunks) {
        List<String> reasons = new ArrayList<>();
        int unverified = 0;
        for (ChunkRow row : chunks) {
            Chunk chunk = row.chunk();
            if (chunk.state() != ChunkState.VERIFIED && unverified++ < UNVERIFIED_NAMED_MAX) {
                reasons.add("UNVERIFIED p=" + chunk.partitionId() + "/e=" + chunk.epoch()
                        + " chunk " + chunk.index());
            }
        }
        if (unverified > UNVERIFIED_NAMED_MAX) {
            reasons.add("UNVERIFIED " + (unverified - UNVERIFIED_NAMED_MAX) + " more");
        }
        return reasons;
    }

    /** The same measurement again changes nothing and needs no event. */
    private static List<RowChange> upsertChanged(
            Books books, RunId runId, List<Metric> stored, List<Metric> judged) {
        List<Metric> changed = new ArrayList<>(judged);
        changed.removeAll(stored);
        return books.metrics().upsertAll(runId, changed);
    }

    private static RunState stateOf(RunId runId, Stage stage) {
        return switch (stage) {
            case STAGING -> RunState.STAGE_VALIDATING;
            case TARGET -> RunState.PUBLISHED;
            case SOURCE ->
                throw new WeirException(
                        ErrorCode.MANIFEST_INVALID,
                        "Cannot record the SOURCE metrics of run " + runId
                                + ": they come with the manifest only");
        };
    }

    private static Run lockIn(Books books, RunId runId, RunState needed, String action) {
        Run run = books.lockRun(runId).run();
        if (run.state() != needed) {
            throw new WeirException(
                    ErrorCode.RUN_STATE_MISMATCH,
                    "Cannot " + action + " of run " + runId + ": it is in another state (state="
                            + run.state() + ", needed=" + needed + ")");
        }
        return run;
    }
}
