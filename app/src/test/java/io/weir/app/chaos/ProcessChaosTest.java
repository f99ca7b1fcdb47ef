package io.weir.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.weir.engine.Engine;
import io.weir.engine.EngineConfig;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Two coordinators and three workers load while processes are killed and paused, the line to the
 * ledger is broken and its server dies; then everything heals, and the books must be right. {@code
 * docs/chaos.md} says how to run it for longer.
 */
class ProcessChaosTest {
    private static final long SEED = Long.getLong("weir.chaos.seed", 20_261_130);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("weir.chaos.seconds", 60));
    private static final Duration LOADS_END = Duration.ofMinutes(3);
    private static final Duration RUNS_END = Duration.ofMinutes(2);
    private static final int ROWS = 10_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    void booksAreRightAfterChaos(TestReporter reporter) throws Exception {
        reporter.publishEntry("weir.chaos.seed", Long.toString(SEED));
        Shop shop = new Shop(ROWS, SEED);
        Clock trading = new Clock();
        Clock chaos = new Clock();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (House house = new House(directory, shop.database())) {
            Crew crew = new Crew(house, chaos);
            Nemesis nemesis = new Nemesis(house, crew, SEED);
            try {
                Future<?> trader = threads.submit(() -> shop.trade(trading));
                crew.start(SEED);
                Future<?> blows = threads.submit(() -> nemesis.rage(chaos));
                Clock.until(TIME, () -> blows.isDone());
                chaos.end();
                blows.get();
                assertThat(crew.awaitLoads(LOADS_END)).as("loads end").isTrue();
                settle(house);
                loadOnceMore(house);
                trading.end();
                trader.get();
                assertThat(crew.stopWorkers()).as("workers stop").isTrue();
                crew.rethrow();
                assertThat(nemesis.dealt()).as("blows").isNotEmpty();
                reporter.publishEntry("blows", nemesis.tally().toString());
                reporter.publishEntry("runs", judge(house, shop).toString());
            } catch (Exception | AssertionError e) {
                throw new AssertionError(story(house, nemesis), e);
            }
            nothingIsLeft(house);
        } finally {
            trading.end();
            chaos.end();
            threads.shutdownNow();
        }
    }

    /** Workers bring every run to its end. */
    private static void settle(House house) {
        try (Books books = new Books(house)) {
            if (!Clock.until(RUNS_END, () -> books.active().isEmpty())) {
                fail("Runs do not end:\n" + books.activeText());
            }
        }
    }

    /** What was survived must not keep anybody from working. */
    private static void loadOnceMore(House house) {
        for (String job : List.of("events", "cut")) {
            Client client = house.start("load", "--job", job, "--business-key", "after");
            client.awaitEnd();
            assertThat(client.exitCode())
                    .as("%s: %s", client, client.complaints())
                    .isZero();
        }
    }

    /** How many runs ended how. */
    private static Map<String, Long> judge(House house, Shop shop) throws Exception {
        try (Books books = new Books(house)) {
            Verdict verdict = new Verdict(books);
            verdict.ledger();
            verdict.fsck();
            verdict.journals(house.journal());
            verdict.lake();
            verdict.source(shop);
            return verdict.summary();
        }
    }

    private static void nothingIsLeft(House house) throws IOException {
        Engine.open(new EngineConfig(64L << 20, 1, house.spill())).close();
        try (Stream<Path> left = Files.list(house.spill())) {
            assertThat(left).as("spilled files").isEmpty();
        }
        house.close();
        assertThat(house.processes()).as("processes").isEmpty();
    }

    /** What somebody needs who looks for the fault. */
    private String story(House house, Nemesis nemesis) {
        StringBuilder text = new StringBuilder("seed ")
                .append(SEED)
                .append(", everything is in ")
                .append(directory)
                .append('\n');
        nemesis.dealt().forEach(blow -> text.append(blow).append('\n'));
        house.journal().forEach(client -> text.append(client).append('\n'));
        return text.toString();
    }
}
