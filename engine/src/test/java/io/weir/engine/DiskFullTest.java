package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Writes into a file system of a few megabytes. */
class DiskFullTest {
    private static final RowSchema BINARIES = new RowSchema(
            List.of(EveryType.column(1, "raw", "bytea", Types.BinaryType.get())), List.of());

    @Test
    @SuppressWarnings("NullAway")
    void fullDiskIsNamedAndNothingIsLeft(@TempDir Path directory)
            throws IOException, InterruptedException {
        Path small = Files.createDirectory(directory.resolve("small"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", small.toString()),
                "mounting a tmpfs is not permitted here");
        try (EngineFixture fixture = new EngineFixture(directory.resolve("spill"))) {
            Path file = small.resolve("big.parquet");
            List<List<@Nullable Object>> rows = incompressible(400, 64 << 10);

            assertThatThrownBy(() -> fixture.write(BINARIES, rows, file))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL))
                    .hasMessageStartingWith(
                            "Cannot write file " + file + ": no space left" + " (usable_bytes=");
            try (Stream<Path> left = Files.list(small)) {
                assertThat(left).isEmpty();
            }

            WrittenFile written =
                    fixture.write(BINARIES, rows.subList(0, 10), small.resolve("fits.parquet"));
            assertThat(written.rows()).isEqualTo(10);
        } finally {
            assertThat(run("umount", small.toString())).isTrue();
        }
    }

    private static List<List<@Nullable Object>> incompressible(int count, int bytes) {
        Random random = new Random(1);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] raw = new byte[bytes];
            random.nextBytes(raw);
            rows.add(Arrays.<@Nullable Object>asList((Object) raw));
        }
        return rows;
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
