package io.weir.testkit.simulation;

import org.jspecify.annotations.Nullable;

/** An invariant does not hold. Ends the simulation. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String invariant;

    /**
     * Makes a violation.
     *
     * @param invariant such as {@code I5}
     */
    Violation(String invariant, String message) {
        super(message);
        this.invariant = invariant;
    }

    String invariant() {
        return invariant;
    }

    static void check(String invariant, boolean held, String message, @Nullable Object... facts) {
        if (!held) {
            StringBuilder text = new StringBuilder(message);
            for (@Nullable Object fact : facts) {
                text.append(' ').append(fact);
            }
            throw new Violation(invariant, text.toString());
        }
    }
}
