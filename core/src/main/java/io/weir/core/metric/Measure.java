package io.weir.core.metric;

import org.jspecify.annotations.Nullable;

/**
 * One measured value in the text form of {@link MetricText}.
 *
 * @param value null where there is none, such as the minimum of no rows
 */
public record Measure(MetricName name, @Nullable String value) {}
