package io.weir.ledger.metric;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.Metric;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.Stage;
import io.weir.core.metric.Verdict;
import io.weir.core.run.Run;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The judge: expected and found are the same text, or the metric failed. */
public final class MetricRules {
    private MetricRules() {}

    /** A judged metric of the whole run. */
    public static Metric judge(
            Stage stage,
            String subject,
            MetricName name,
            @Nullable String expected,
            @Nullable String actual) {
        Verdict verdict = Objects.equals(expected, actual) ? Verdict.PASS : Verdict.FAIL;
        return new Metric(stage, subject, name, expected, actual, verdict);
    }

    /** The expectation of the manifest as the rows that later stages are judged by. */
    public static List<Metric> source(List<Measure> expectation) {
        List<Metric> metrics = new ArrayList<>();
        for (Measure measure : expectation) {
            metrics.add(judge(
                    Stage.SOURCE, Metric.RUN, measure.name(), measure.value(), measure.value()));
        }
        return metrics;
    }

    /**
     * Everything that must be measured after the source, with what it must be: the expectation, the
     * balance that was extracted, and no duplicate where there is a key.
     */
    public static Map<MetricName, @Nullable String> required(Run run, List<Metric> stored) {
        Map<MetricName, @Nullable String> required = new LinkedHashMap<>();
        for (Metric metric : stored) {
            if (metric.stage() == Stage.SOURCE) {
                required.put(metric.name(), metric.expected());
            }
        }
        required.put(MetricName.BALANCE, run.extracted().toString());
        if (!run.keyColumns().isEmpty()) {
            required.put(MetricName.DUPLICATE_KEYS, "0");
        }
        return required;
    }

    /**
     * Judges what was measured.
     *
     * @throws WeirException {@link ErrorCode#MANIFEST_INVALID} for a metric that the manifest does
     *     not ask for, or one that is given twice
     */
    public static List<Metric> judge(
            Run run,
            Stage stage,
            Map<MetricName, @Nullable String> required,
            List<Measure> measures) {
        Set<MetricName> seen = new HashSet<>();
        List<Metric> metrics = new ArrayList<>();
        for (Measure measure : measures) {
            MetricName name = measure.name();
            if (!required.containsKey(name)) {
                throw refused(run, name, "the manifest does not ask for it");
            }
            if (!seen.add(name)) {
                throw refused(run, name, "it is given twice");
            }
            metrics.add(judge(stage, Metric.RUN, name, required.get(name), measure.value()));
        }
        return metrics;
    }

    /** What keeps the stage from passing, one line each. */
    public static List<String> reasons(
            Stage stage, Map<MetricName, @Nullable String> required, List<Metric> stored) {
        Map<MetricName, Metric> ofRun = new LinkedHashMap<>();
        List<String> reasons = new ArrayList<>();
        for (Metric metric : stored) {
            if (metric.stage() == stage && metric.subject().equals(Metric.RUN)) {
                ofRun.put(metric.name(), metric);
            }
        }
        for (Map.Entry<MetricName, @Nullable String> entry : required.entrySet()) {
            if (!ofRun.containsKey(entry.getKey())) {
                reasons.add("MISSING " + entry.getKey());
            }
        }
        for (Metric failure : failures(stage, stored)) {
            reasons.add("FAIL " + failure);
        }
        return reasons;
    }

    /** The metrics of a stage that differ, those of files included. */
    public static List<Metric> failures(Stage stage, List<Metric> stored) {
        return stored.stream()
                .filter(metric -> metric.stage() == stage && metric.verdict() == Verdict.FAIL)
                .toList();
    }

    private static WeirException refused(Run run, MetricName name, String reason) {
        return new WeirException(
                ErrorCode.MANIFEST_INVALID,
                "Cannot record metric " + name + " of run " + run.id() + ": " + reason);
    }
}
