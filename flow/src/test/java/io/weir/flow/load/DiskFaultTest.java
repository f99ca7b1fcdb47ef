package io.weir.flow.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.ledger.RunFilter;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.Run;
import io.weir.core.run.RunState;
import io.weir.table.LocalFileIO;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The disk of the lake is full, or gives back other bytes than were written. */
class DiskFaultTest {
    private static final LoadJob ORDERS = LoadHouse.job("orders", PublishMode.REPLACE);

    @TempDir
    Path directory;

    // F31
    @Test
    void aFullDiskFailsTheRunAndTheNextOneWorksOnceThereIsSpace() throws Exception {
        Path small = Files.createDirectory(directory.resolve("small"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", small.toString()),
                "mounting a tmpfs is not permitted here");
        try (LoadHouse house = new LoadHouse(directory, small.resolve("lake"))) {
            house.shop.execute(
                    "create table orders (id bigint primary key, note text)",
                    "insert into orders select n, (select string_agg(md5((n * 1000 + m)::text), '')"
                            + " from generate_series(1, 1000) m) from generate_series(1, 800) n");

            assertThatThrownBy(() -> house.load(ORDERS, "monday"))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));

            Run failed = house.ledger.runs(new RunFilter("orders", false, 1)).get(0);
            assertThat(failed.state()).isEqualTo(RunState.FAILED_EXTRACT);
            assertThat(Objects.requireNonNull(failed.failure()).code()).isEqualTo("DISK_FULL");
            assertThat(house.parquetFiles()).isZero();
            assertThat(house.rows("sales.orders")).isEqualTo("0");

            house.shop.execute("delete from orders where id > 20");
            assertThat(house.load(ORDERS, "monday").run().state()).isEqualTo(RunState.SUCCESS);
            assertThat(house.rows("sales.orders")).isEqualTo("20");
        } finally {
            assertThat(run("umount", small.toString())).isTrue();
        }
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

    // F38
    @Test
    void aBitThatFlipsBeforeTheAuditKeepsEverythingUnpublished() {
        try (LoadHouse house = new LoadHouse(directory)) {
            house.shop.execute(
                    "create table orders (id bigint primary key, amount numeric(12, 2))",
                    "insert into orders select n, n from generate_series(1, 3000) as n");
            for (int part = 1; part <= 3; part++) {
                int place = part;
                LoadListener flip = new LoadListener() {
                    @Override
                    public void staged(Run run, List<String> paths) {
                        flip(LocalFileIO.pathOf(paths.get(0)), place);
                    }
                };

                assertThatThrownBy(() -> house.load(ORDERS, "monday", flip))
                        .isInstanceOfSatisfying(
                                WeirException.class,
                                e -> assertThat(e.code())
                                        .isIn(
                                                ErrorCode.VALIDATION_FAILED,
                                                ErrorCode.FILE_UNREADABLE))
                        .hasMessageContaining(".parquet");

                Run failed =
                        house.ledger.runs(new RunFilter("orders", false, 1)).get(0);
                assertThat(failed.state()).isEqualTo(RunState.FAILED_STAGE_VALIDATION);
                assertThat(house.rows("sales.orders")).isEqualTo("0");
            }
            assertThat(house.load(ORDERS, "monday").run().state()).isEqualTo(RunState.SUCCESS);
            assertThat(house.rows("sales.orders")).isEqualTo("3000");
        }
    }

    /** In the first half of the file, where the values are. */
    private static void flip(Path file, int part) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length * part / 8] ^= 4;
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
