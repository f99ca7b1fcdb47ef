package io.weir.core.chain;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/**
 * The states of one key at the commits of a window.
 *
 * @param states from first to last; null stands for no row. Empty if nothing can be told of the
 *     start because every transaction left the key as it was
 * @param endPlace place of the change that made the last state; 0 if there is no row at the end or
 *     the row was there before
 * @param endOrdinal the ordinal of it
 */
public record Chain(List<@Nullable UUID> states, long endPlace, long endOrdinal) {
    /** Whether the window says anything of the row before it. */
    public boolean tellsStart() {
        return !states.isEmpty();
    }

    /** The state that the window starts from; null for no row, and if nothing is told. */
    public @Nullable UUID start() {
        return states.isEmpty() ? null : states.get(0);
    }

    /** The state that the window ends with; null for no row, and if nothing is told. */
    public @Nullable UUID end() {
        return states.isEmpty() ? null : states.get(states.size() - 1);
    }

    /** Whether the row after the window is the one before it. */
    public boolean isUnchanged() {
        UUID start = start();
        return start == null ? end() == null : start.equals(end());
    }
}
