package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

class SpillDirectoryTest {
    @Test
    void enginesNeverShareADirectory(@TempDir Path parent) throws IOException {
        try (SpillDirectory one = SpillDirectory.create(parent);
                SpillDirectory two = SpillDirectory.create(parent)) {
            assertThat(one.path()).isNotEqualTo(two.path()).isDirectory();
            assertThat(two.path()).isDirectory();
        }

        try (Stream<Path> left = Files.list(parent)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void removesWhatADeadProcessLeft(@TempDir Path parent) throws IOException {
        Path dead = Files.createDirectory(parent.resolve("engine-0-77"));
        Files.writeString(dead.resolve("duckdb_temp_block-1.block"), "spilled");
        Files.createFile(parent.resolve("engine-0-77.lock"));
        Path foreign = Files.createDirectory(parent.resolve("other"));

        try (SpillDirectory own = SpillDirectory.create(parent)) {
            assertThat(dead).doesNotExist();
            assertThat(parent.resolve("engine-0-77.lock")).doesNotExist();
            assertThat(foreign).isDirectory();
            assertThat(own.path()).isDirectory();
        }
    }
}
