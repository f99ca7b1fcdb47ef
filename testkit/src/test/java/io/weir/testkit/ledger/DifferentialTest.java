package io.weir.testkit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

/**
 * Goal: the books in memory, over which the simulator runs, are the books in PostgreSQL. Method:
 * the same commands from a seed for both; every answer and every row is compared.
 */
class DifferentialTest {
    private static final int SEEDS = Integer.getInteger("weir.differentialSeeds", 6);
    private static final long FIRST = Long.getLong("weir.firstSeed", 1);
    private static final int COMMANDS = 100;

    @Test
    void memoryAnswersAsPostgresDoes() {
        Path home = Path.of("target", "postgres");
        try (PostgresBooks postgres = new PostgresBooks(home, LedgerContract.SETTINGS)) {
            for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
                postgres.clear();
                LedgerBooks memory = new MemoryBooks(seed, LedgerContract.SETTINGS);
                assertThat(new Differential(memory, postgres, seed).run(COMMANDS))
                        .as("seed " + seed)
                        .isEmpty();
            }
        }
    }
}
