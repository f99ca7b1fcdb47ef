package io.weir.core.explain;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * One fact behind a finding.
 *
 * @param value of a time its RFC 3339 form in UTC
 * @param at the time that the value is; null for everything else
 */
public record Evidence(String label, String value, @Nullable Instant at) {
    static Evidence of(String label, Object value) {
        return new Evidence(label, value.toString(), null);
    }

    static Evidence time(String label, Instant at) {
        return new Evidence(label, at.toString(), at);
    }
}
