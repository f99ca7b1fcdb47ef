package io.weir.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Goal: the simulator sees what is wrong. Method: faults put in on purpose, one at a time, over
 * seeds that are clean without them ({@link SimulationTest}).
 */
class SeededBugTest {
    private static final int SEEDS = 300;
    private static final Path FIGURES = Path.of("target", "seeded-bugs.txt");
    private static final Map<SeededBug, String> CAUGHT = new TreeMap<>();

    @ParameterizedTest
    @EnumSource
    void aSeededBugIsCaught(SeededBug bug) {
        SimulationSettings settings = SimulationSettings.DEFAULTS.withBug(bug);
        SimulationResult result = new Simulation(1, settings).run();
        for (long seed = 2; result.isClean() && seed <= SEEDS; seed++) {
            result = new Simulation(seed, settings).run();
        }

        assertThat(result.isClean()).as(bug + ": " + bug.meaning()).isFalse();
        CAUGHT.put(bug, result.invariant() + " at seed " + result.seed());
    }

    @AfterAll
    static void write() throws IOException {
        StringBuilder text = new StringBuilder();
        CAUGHT.forEach((bug, how) -> text.append(bug).append(": ").append(how).append('\n'));
        Files.writeString(FIGURES, text);
    }
}
