package io.weir.core.explain;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * What happens without a person.
 *
 * @param what without a full stop
 * @param at when it has happened at the latest, if all goes well; null if that is not known
 * @param overdue whether it should have happened already
 */
public record Next(String what, @Nullable Instant at, boolean overdue) {
    /** Something that happens at a time that nobody knows. */
    static Next sometime(String what) {
        return new Next(what, null, false);
    }

    static Next by(String what, Instant at, Instant now) {
        return new Next(what, at, at.isBefore(now));
    }
}
