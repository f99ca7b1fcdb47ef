package io.weir.flow.replicate;

import io.weir.ledger.replica.LogPlace;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * Up to where the change logs of a job hold every change: all up to one place, or each up to its
 * own, because nobody tells that a table without changes has none.
 *
 * @param to the greatest place
 * @param own by table; null: one place for all
 */
public record WindowEnds(LogPlace to, @Nullable Map<String, LogPlace> own) {
    public WindowEnds {
        own = own == null ? null : Map.copyOf(own);
    }

    /** One place for all tables. */
    static WindowEnds common(LogPlace to) {
        return new WindowEnds(to, null);
    }

    /** A place for each table; tables that are not named have none. */
    static WindowEnds each(Map<String, LogPlace> own) {
        LogPlace to = LogPlace.START;
        for (LogPlace place : own.values()) {
            to = place.place() > to.place() ? place : to;
        }
        return new WindowEnds(to, own);
    }

    /** Whether all tables can be at one place. */
    boolean isCommon() {
        return own == null;
    }

    /** Where the window of a table ends; null: nobody knows. */
    public @Nullable LogPlace of(String table) {
        return own == null ? to : own.get(table);
    }
}
