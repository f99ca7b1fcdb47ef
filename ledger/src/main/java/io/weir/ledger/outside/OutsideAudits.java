package io.weir.ledger.outside;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Stage;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.OutsideReplies.Gate;
import io.weir.ledger.outside.OutsideReplies.Recorded;
import io.weir.ledger.outside.OutsideReplies.Started;
import io.weir.ledger.outside.Turn.Note;
import io.weir.ledger.sql.Columns;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Validating outside runs: the flow measures, the stricter of its word and ours counts. */
final class OutsideAudits {
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,18}");
    private static final String STAGE_COUNT = "STAGE_COUNT";
    private static final String TARGET_COUNT = "TARGET_COUNT";

    private final OutsideTransactions transactions;
    private final OutsideSettings settings;

    OutsideAudits(OutsideTransactions transactions, OutsideSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    /**
     * Starts the validation that a dispatch asks for; one caller wins.
     *
     * @param owner what the caller names itself, to be told again after a lost reply; null from
     *     flows that have no name of their own
     */
    Started start(RunId runId, UUID dispatchId, @Nullable String owner, Actor actor) {
        return transactions.run("start the validation of run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            OutsideDispatch dispatch = books.lockDispatch(runId, dispatchId)
                    .filter(row -> row.kind() == OutsideDispatch.Kind.VALIDATE_RUN)
                    .orElseThrow(() -> WeirException.of(
                            ErrorCode.DISPATCH_MISMATCH,
                            "Cannot start the validation of run " + runId + ": dispatch "
                                    + dispatchId + " does not ask for it",
                            Map.of("dispatchId", dispatchId.toString())));
            boolean open = dispatch.state() != DispatchState.CANCELLED;
            if (open && dispatch.state() != DispatchState.ACKED) {
                turn.settle(dispatch, DispatchState.ACKED);
            }
            String digest = owner == null ? null : Digests.sha256(owner);
            if (run.state() == RunState.STAGE_VALIDATING && isAgain(run, digest)) {
                return started(books, run);
            }
            // A dispatch whose step was lost since starts nothing: another one asks for it now.
            boolean newest = isNewest(books, dispatch);
            if (run.state() != RunState.EXTRACTED_VALIDATED || !open || !newest) {
                return new Started(run.state(), null, List.of());
            }
            Columns changes = new Columns()
                    .set("state", RunState.STAGE_VALIDATING.name())
                    .set("validator_digest", digest)
                    .set("heartbeat_at", turn.now());
            return started(books, turn.move(run, changes, Note.info("STAGE_VALIDATION_STARTED")));
        });
    }

    private static boolean isAgain(OutsideRun run, @Nullable String digest) {
        return digest != null && digest.equals(run.validatorDigest());
    }

    private static boolean isNewest(OutsideBooks books, OutsideDispatch dispatch) {
        return books.dispatches(dispatch.runId()).stream()
                .filter(other -> other.kind() == dispatch.kind())
                .allMatch(other -> other.cycle() <= dispatch.cycle());
    }

    private static Started started(OutsideBooks books, OutsideRun run) {
        List<OutsideMetric> source = books.metrics(run.id()).stream()
                .filter(metric -> metric.stage() == Stage.SOURCE)
                .toList();
        return new Started(run.state(), run, source);
    }

    Recorded record(RunId runId, Stage stage, List<OutsideMetric> metrics, Actor actor) {
        return transactions.run("record the metrics of run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            RunState needed =
                    stage == Stage.STAGING ? RunState.STAGE_VALIDATING : RunState.PUBLISHED;
            if (run.state() != needed) {
                throw Turn.mismatch(run, "record the " + stage + " metrics of", needed);
            }
            books.upsertMetrics(runId, metrics, turn.now());
            List<String> failed = metrics.stream()
                    .filter(metric -> metric.verdict().equals("FAIL"))
                    .map(OutsideMetric::name)
                    .toList();
            Note note = failed.isEmpty()
                    ? Note.info(stage + "_METRICS_RECORDED")
                    : Note.warn(stage + "_METRIC_FAILED", String.join(", ", failed));
            turn.move(run, new Columns().set("heartbeat_at", turn.now()), note);
            return new Recorded(metrics.size(), failed.size(), run.state());
        });
    }

    Gate stageValidated(RunId runId, Actor actor) {
        return transactions.run("validate the staged rows of run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            if (run.state() == RunState.STAGING_VALIDATED) {
                return new Gate(true, run.state(), List.of());
            }
            if (run.state() != RunState.STAGE_VALIDATING) {
                return new Gate(false, run.state(), List.of("RUN_STATUS " + run.state()));
            }
            List<OutsideMetric> metrics = books.metrics(runId);
            List<String> reasons = reasons(metrics, Stage.STAGING);
            Long count = count(metrics, Stage.STAGING, STAGE_COUNT);
            addCount(reasons, run, STAGE_COUNT, count);
            if (!reasons.isEmpty()) {
                return new Gate(false, run.state(), reasons);
            }
            Columns changes = new Columns()
                    .set("state", RunState.STAGING_VALIDATED.name())
                    .set("staging_count", count)
                    .set("heartbeat_at", turn.now());
            OutsideRun after = turn.move(run, changes, Note.info("STAGE_VALIDATED"));
            return new Gate(true, after.state(), List.of());
        });
    }

    Gate succeed(RunId runId, @Nullable Long targetCount, Actor actor) {
        return transactions.run("finish run " + runId, books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            if (run.state() == RunState.SUCCESS) {
                return new Gate(true, run.state(), List.of());
            }
            if (run.state() != RunState.PUBLISHED) {
                return new Gate(false, run.state(), List.of("RUN_STATUS " + run.state()));
            }
            List<OutsideMetric> metrics = books.metrics(runId);
            List<String> reasons = reasons(metrics, Stage.TARGET);
            Long measured = count(metrics, Stage.TARGET, TARGET_COUNT);
            Long count = targetCount == null ? measured : targetCount;
            addCount(reasons, run, TARGET_COUNT, count);
            if (!reasons.isEmpty()) {
                return new Gate(false, run.state(), reasons);
            }
            Columns changes = turn.ended(RunState.SUCCESS, null).set("target_count", count);
            OutsideRun after = turn.move(run, changes, Note.info("RUN_SUCCESS"));
            return new Gate(true, after.state(), List.of());
        });
    }

    /** Missing, failing, or not the names that the staging had. */
    private static List<String> reasons(List<OutsideMetric> all, Stage stage) {
        List<String> reasons = new ArrayList<>();
        List<OutsideMetric> metrics =
                all.stream().filter(metric -> metric.stage() == stage).toList();
        if (metrics.isEmpty()) {
            reasons.add("NO_METRICS");
            return reasons;
        }
        metrics.stream()
                .filter(metric -> metric.verdict().equals("FAIL"))
                .forEach(metric -> reasons.add("FAIL " + metric.name()));
        if (stage == Stage.TARGET) {
            Set<String> measured = new HashSet<>();
            metrics.forEach(metric -> measured.add(metric.name()));
            all.stream()
                    .filter(metric -> metric.stage() == Stage.STAGING)
                    .map(OutsideMetric::name)
                    .filter(name -> !name.equals(STAGE_COUNT) && !measured.contains(name))
                    .distinct()
                    .forEach(name -> reasons.add("MISSING " + name));
        }
        return reasons;
    }

    /** A count that the flow names must be that of the source, whatever it says of it. */
    private static void addCount(
            List<String> reasons, OutsideRun run, String name, @Nullable Long count) {
        String reason = "FAIL " + name;
        boolean differs = count != null && !count.equals(run.sourceCount());
        if (differs && !reasons.contains(reason)) {
            reasons.add(reason);
        }
    }

    private static @Nullable Long count(List<OutsideMetric> metrics, Stage stage, String name) {
        Optional<String> text = metrics.stream()
                .filter(metric -> metric.stage() == stage && metric.name().equals(name))
                .map(OutsideMetric::actual)
                .filter(Objects::nonNull)
                .findFirst();
        return text.filter(actual -> COUNT.matcher(actual).matches())
                .map(Long::valueOf)
                .orElse(null);
    }
}
