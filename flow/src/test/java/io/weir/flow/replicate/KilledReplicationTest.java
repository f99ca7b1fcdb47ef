package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.weir.core.run.Operator;
import io.weir.ledger.fsck.Finding;
import io.weir.ledger.replica.Replica;
import io.weir.ledger.replica.ReplicaState;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Kill -9 at every step of the initial load, of capture and of windows, under a writer. */
class KilledReplicationTest {
    private static final long SEED = Long.getLong("weir.replicate.seed", 20261130);

    /** In this order: each process is killed when it says the first of these words. */
    private static final List<String> KILLED_AT = List.of(
            "LOAD_EXTRACTED",
            "LOAD_AUDITED",
            "LOAD_PUBLISHED",
            "LOADED",
            "LOG_WRITTEN",
            "LOG_APPENDED",
            "LOG_KEPT",
            "LOG_CONFIRMED",
            "WINDOW_OPENED",
            "WINDOW_PLANNED",
            "WINDOW_STAGED",
            "WINDOW_AUDITED",
            "WINDOW_SENDING",
            "WINDOW_SENT",
            "WINDOW_SETTLED");

    private static final Operator ANNA = new Operator("anna", "has it loaded again");

    @TempDir
    private Path directory;

    private ReplicaHouse house;

    @BeforeEach
    void open() {
        house = new ReplicaHouse(directory);
    }

    @AfterEach
    void close() {
        house.close();
    }

    @Test
    void whereverAProcessIsKilledTheNextOneGoesOn() throws IOException, InterruptedException {
        List<String> said = new ArrayList<>();
        ShopWriter writer = new ShopWriter(house.source, SEED);
        for (String word : KILLED_AT) {
            writer.write(5);
            if (word.startsWith("LOAD") && !said.isEmpty()) {
                // Whatever the one before had finished, there is something to load.
                house.replicas().rebuild("shop", "public.orders", ANNA);
            }
            said.add(word + ": " + killedAt(word, writer));
            house.endLeases();
            house.awaitFreeSlot();
        }
        ReplicateReport report = house.once();
        assertThat(report.replicas())
                .as("seed %s, %s", SEED, said)
                .extracting(Replica::stop)
                .containsOnlyNulls();
        assertThat(report.replicas()).extracting(Replica::state).containsOnly(ReplicaState.RUNNING);
        assertThat(report.isVerified()).isTrue();
        assertThat(house.different()).as("seed %s", SEED).isEmpty();
        assertThat(house.ledger.fsck())
                .filteredOn(finding -> !finding.isClean())
                .extracting(Finding::id)
                .isEmpty();
    }

    /** How many steps it said before. */
    private int killedAt(String word, ShopWriter writer) throws IOException, InterruptedException {
        Process process = ReplicaProgram.start(house.source, house.books, directory);
        int steps = 0;
        try (BufferedReader said = process.inputReader()) {
            for (String line = said.readLine(); ; line = said.readLine()) {
                if (line == null) {
                    fail(
                            "The process that was to be killed at %s ended: %s",
                            word, Files.readString(ReplicaProgram.complaints(directory)));
                }
                assertThat(line).doesNotStartWith("STOPPED");
                steps++;
                if (line.equals(word)) {
                    return steps;
                }
                if (line.startsWith("WINDOW")) {
                    writer.write(1);
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
