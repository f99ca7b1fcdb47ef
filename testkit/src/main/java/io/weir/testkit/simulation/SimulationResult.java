package io.weir.testkit.simulation;

import java.util.List;
import java.util.Set;

/**
 * How a simulation ended.
 *
 * @param invariant the first that did not hold; empty if all did
 * @param message what did not hold
 * @param hash of the whole trace: equal for equal schedules
 * @param steps lines of the trace
 * @param checks how often the invariants were checked
 * @param states of all runs at the end, with the code of the failure
 * @param events names of everything that happened in the books
 * @param lines the last of the trace, or all
 */
public record SimulationResult(
        long seed,
        String invariant,
        String message,
        long hash,
        long steps,
        long checks,
        List<String> states,
        Set<String> events,
        List<String> lines) {
    public SimulationResult {
        states = List.copyOf(states);
        events = Set.copyOf(events);
        lines = List.copyOf(lines);
    }

    public boolean isClean() {
        return invariant.isEmpty();
    }

    /** For people: what did not hold, and what led to it. */
    public String report() {
        String verdict = isClean() ? "clean " + states : invariant + " " + message;
        return "seed " + seed + ": " + verdict + "\n" + String.join("\n", lines);
    }
}
