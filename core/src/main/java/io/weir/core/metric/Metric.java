package io.weir.core.metric;

import org.jspecify.annotations.Nullable;

/**
 * A judged metric, as the ledger keeps it.
 *
 * @param subject what was measured: a file name, or {@code run} for the whole run
 */
public record Metric(
        Stage stage,
        String subject,
        MetricName name,
        @Nullable String expected,
        @Nullable String actual,
        Verdict verdict) {
    /** Subject of the metrics of a whole run. */
    public static final String RUN = "run";

    /** As errors name it: subject, metric, expected and found. */
    @Override
    public String toString() {
        return subject + " " + name + ": expected " + expected + ", found " + actual;
    }
}
