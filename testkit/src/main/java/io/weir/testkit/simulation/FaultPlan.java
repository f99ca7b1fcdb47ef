package io.weir.testkit.simulation;

import java.util.EnumMap;
import java.util.Map;

/**
 * Which faults strike in this simulation. Some are left out, so that what hides behind a frequent
 * one is seen as well.
 */
final class FaultPlan {
    private static final double KINDS = 0.6;
    private static final double CALM = 0.05;

    private final Randomness random;
    private final Map<Fault, Double> rates = new EnumMap<>(Fault.class);
    private final boolean calm;
    private boolean over;

    FaultPlan(Randomness random) {
        this.random = random;
        calm = random.chance(CALM);
        for (Fault fault : Fault.values()) {
            boolean on = random.chance(KINDS);
            double rate = fault.most() * random.fraction();
            rates.put(fault, on && !calm ? rate : 0.0);
        }
    }

    boolean strikes(Fault fault) {
        return !over && random.chance(rates.getOrDefault(fault, 0.0));
    }

    /** Whether nothing goes wrong at all. */
    boolean isCalm() {
        return calm;
    }

    /** From now on everything works. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }
}
