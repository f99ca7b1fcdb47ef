package io.weir.testkit.simulation;

import io.weir.ledger.LedgerSettings;
import io.weir.ledger.dispatch.DispatchCommand.DispatchRules;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * What is the same for every seed.
 *
 * @param ledger settings of every process
 * @param faults for how long things go wrong
 * @param bound how long after the faults everything may take to come to its end
 * @param runLease how long a step lives without a sign of its owner
 * @param runTimeout until when a run has to be published, at most
 * @param bug what is wrong on purpose; null for the real thing
 * @param wholeTrace whether every line of the trace is kept
 */
public record SimulationSettings(
        LedgerSettings ledger,
        Duration faults,
        Duration bound,
        Duration runLease,
        Duration runTimeout,
        @Nullable SeededBug bug,
        boolean wholeTrace) {
    /** Small numbers, so that every bound is met. */
    private static final LedgerSettings LEDGER = new LedgerSettings(
            Duration.ofSeconds(20),
            3,
            Duration.ofSeconds(30),
            new DispatchRules(
                    5, Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofSeconds(30)),
            3,
            Duration.ofSeconds(15),
            Duration.ofMinutes(5),
            1);

    public static final SimulationSettings DEFAULTS = new SimulationSettings(
            LEDGER,
            Duration.ofMinutes(6),
            Duration.ofMinutes(40),
            Duration.ofSeconds(40),
            Duration.ofMinutes(15),
            null,
            false);

    public SimulationSettings withBug(@Nullable SeededBug wrong) {
        return new SimulationSettings(
                ledger, faults, bound, runLease, runTimeout, wrong, wholeTrace);
    }

    public SimulationSettings withWholeTrace() {
        return new SimulationSettings(ledger, faults, bound, runLease, runTimeout, bug, true);
    }
}
