package io.weir.ledger.outside;

import io.weir.core.metric.Stage;

import org.jspecify.annotations.Nullable;

/**
 * One figure that an outside flow measured.
 *
 * @param result what the flow says: PASS, FAIL or WARN
 * @param verdict the stricter of that and what the ledger computes
 * @param details a JSON object
 */
public record OutsideMetric(
        Stage stage,
        String name,
        String queryVersion,
        @Nullable String expected,
        @Nullable String actual,
        @Nullable String tolerance,
        String result,
        String verdict,
        String details) {}
