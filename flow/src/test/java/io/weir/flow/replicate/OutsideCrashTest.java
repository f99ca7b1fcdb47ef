package io.weir.flow.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.run.Operator;
import io.weir.flow.changelog.LogStep;
import io.weir.ledger.fsck.Finding;
import io.weir.ledger.replica.ReplicaWindow;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Goal: wherever a process ends, each change counts once. */
class OutsideCrashTest {
    @TempDir
    private static Path directory;

    private static OutsideHouse house;

    @BeforeAll
    static void open() {
        house = new OutsideHouse(directory);
    }

    @AfterAll
    static void close() {
        house.close();
    }

    /** Nothing handles it, as nothing handles the end of a process. */
    private static final class End extends Error {
        private static final long serialVersionUID = 1L;
    }

    private static OutsideHouse.Shelf begun() {
        OutsideHouse.Shelf shelf = house.shelf().numbered().key();
        shelf.write("a.parquet", "10 c ~ > 1 anna 5", "10 c ~ > 1 anna 5");
        shelf.verified();
        shelf.write("b.parquet", "20 c ~ > 1 anna 5", "20 d 1 anna 5 > ~", "20 c ~ > 2 bert 7");
        shelf.write("c.parquet", "30 c ~ > 1 anna 5", "30 c ~ > 2 bert 7");
        return shelf;
    }

    @ParameterizedTest
    @EnumSource(
            value = LogStep.class,
            names = {"ENTERED", "READ", "WRITTEN", "APPENDED", "KEPT", "CONFIRMED"})
    void ofTakingChangesIn(LogStep last) {
        OutsideHouse.Shelf shelf = begun();
        assertThatThrownBy(() -> shelf.once(new ReplicateListener() {
                    @Override
                    public void step(LogStep step) {
                        if (step == last) {
                            throw new End();
                        }
                    }
                }))
                .isInstanceOf(End.class);
        house.endLeases();
        shelf.verified();
        assertThat(shelf.rows())
                .containsExactly("1 anna 5", "1 anna 5", "1 anna 5", "2 bert 7", "2 bert 7");
        assertThat(shelf.logged("place || ' ' || ordinal || ' ' || op"))
                .containsExactly(
                        "10 0 insert",
                        "10 1 insert",
                        "20 0 insert",
                        "20 1 delete",
                        "20 2 insert",
                        "30 0 insert",
                        "30 1 insert");
        assertThat(shelf.balances()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = WindowStep.class,
            names = {"STAGED", "SENT"})
    void ofMerging(WindowStep last) {
        OutsideHouse.Shelf shelf = begun();
        shelf.once(new ReplicateListener() {
            @Override
            public void step(ReplicaWindow window, WindowStep step) {
                if (step == last) {
                    throw new IllegalStateException("ends here");
                }
            }
        });
        house.ledger
                .replicas()
                .resumed(shelf.name, "public." + shelf.name, new Operator("ada", "it ended"));
        shelf.verified();
        assertThat(shelf.rows())
                .containsExactly("1 anna 5", "1 anna 5", "1 anna 5", "2 bert 7", "2 bert 7");
        assertThat(shelf.balances()).isTrue();
    }

    /** Files are entered, or their changes are in the log: nobody is there to tidy up. */
    @Test
    void ofProcessesThatAreKilled() throws IOException, InterruptedException {
        OutsideHouse.Shelf shelf = begun();
        for (String last : List.of("ENTERED", "APPENDED")) {
            Process process = OutsideProgram.start(house, directory, shelf.name, last);
            try (BufferedReader said = process.inputReader()) {
                assertThat(said.readLine()).isEqualTo(last);
            } finally {
                process.destroyForcibly().waitFor();
            }
            house.endLeases();
        }
        shelf.verified();
        assertThat(shelf.rows())
                .containsExactly("1 anna 5", "1 anna 5", "1 anna 5", "2 bert 7", "2 bert 7");
        assertThat(shelf.logged("place")).containsExactly("10", "10", "20", "20", "20", "30", "30");
        assertThat(shelf.balances()).isTrue();
        assertThat(house.ledger.fsck())
                .filteredOn(finding -> !finding.isClean())
                .extracting(Finding::id)
                .isEmpty();
    }
}
