package io.weir.core.explain;

import io.weir.core.metric.Metric;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.run.RunState;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Measured values that are not the expected ones. */
final class MeasureRules {
    private static final int LISTED_MAX = 10;

    private MeasureRules() {}

    static List<Finding> of(Facts facts) {
        return stage(facts.state()).map(stage -> of(facts, stage)).orElse(List.of());
    }

    private static List<Finding> of(Facts facts, Stage stage) {
        List<Metric> judged = facts.situation().detail().metrics().stream()
                .filter(metric -> metric.stage() == stage)
                .toList();
        List<Metric> failed =
                judged.stream().filter(m -> m.verdict() == Verdict.FAIL).toList();
        if (failed.isEmpty()) {
            return List.of();
        }
        Metric first = failed.get(0);
        String place = stage == Stage.STAGING ? "in the staged files" : "in the published table";
        String cause = failed.size() == 1
                ? "One metric differs " + place + ": " + sentence(first) + "."
                : Words.number(failed.size()) + " of "
                        + Words.count(judged.size(), "metric", "metrics") + " differ " + place
                        + "; the first: " + sentence(first) + ".";
        Draft draft = new Draft(FindingCode.METRIC_DIFFERS, cause);
        for (Metric metric : failed.subList(0, Math.min(LISTED_MAX, failed.size()))) {
            draft.fact(name(metric), values(metric));
        }
        if (facts.state().isActive()) {
            draft.next(Next.sometime("the verdict ends the run unless it is measured again"));
        }
        return List.of(draft.act(Commands.certificate(facts.id())).done());
    }

    /** Where the state measures or has measured; empty if what was measured says nothing. */
    private static Optional<Stage> stage(RunState state) {
        return switch (state) {
            case STAGE_VALIDATING, FAILED_STAGE_VALIDATION -> Optional.of(Stage.STAGING);
            case PUBLISHED, FAILED_TARGET_VALIDATION -> Optional.of(Stage.TARGET);
            default -> Optional.empty();
        };
    }

    private static String sentence(Metric metric) {
        return name(metric) + " " + values(metric);
    }

    private static String name(Metric metric) {
        return metric.subject().equals(Metric.RUN)
                ? metric.name().toString()
                : metric.name() + " of " + metric.subject();
    }

    private static String values(Metric metric) {
        return "expected " + value(metric.expected()) + ", found " + value(metric.actual())
                + difference(metric);
    }

    private static String value(@Nullable String value) {
        return value == null ? "nothing" : value;
    }

    private static String difference(Metric metric) {
        Optional<BigDecimal> expected = exact(metric.expected());
        Optional<BigDecimal> actual = exact(metric.actual());
        if (expected.isEmpty() || actual.isEmpty()) {
            return "";
        }
        BigDecimal difference = actual.get().subtract(expected.get());
        return " (" + (difference.signum() > 0 ? "+" : "") + difference.toPlainString() + ")";
    }

    /** Only plain decimals can be subtracted: an exponent belongs to a floating number. */
    private static Optional<BigDecimal> exact(@Nullable String value) {
        return value != null && value.matches("-?[0-9]+([.][0-9]+)?")
                ? Optional.of(new BigDecimal(value))
                : Optional.empty();
    }
}
