package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Balance;
import io.weir.core.row.Column;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Files that are not what was written: each is refused or has another balance. */
@SuppressWarnings("NullAway.Init")
class DamagedFileTest {
    @TempDir
    static Path spill;

    private static EngineFixture fixture;

    @TempDir
    Path directory;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(spill);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void oneChangedValueChangesTheBalanceOfItsFileOnly() {
        List<List<@Nullable Object>> rows = EveryType.rows(2_000);
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Path file = directory.resolve("part-" + i + ".parquet");
            fixture.write(EveryType.SCHEMA, rows, file);
            files.add(file);
        }
        List<MeasuredFile> before =
                fixture.engine.measure(files, EveryType.SCHEMA, List.of()).files();
        rows.get(1_234).set(9, "c\u0131");

        fixture.write(EveryType.SCHEMA, rows, files.get(1));
        List<MeasuredFile> after =
                fixture.engine.measure(files, EveryType.SCHEMA, List.of()).files();

        assertThat(after.get(0)).isEqualTo(before.get(0));
        assertThat(after.get(2)).isEqualTo(before.get(2));
        assertThat(after.get(1).balance().rows()).isEqualTo(2_000);
        assertThat(after.get(1).balance().digestText())
                .isNotEqualTo(before.get(1).balance().digestText());
    }

    @Test
    void missingFileIsNamed() {
        Path file = directory.resolve("gone.parquet");

        assertUnreadable(file, EveryType.SCHEMA, "IO Error: No files found that match the pattern");
    }

    @Test
    void directoryInPlaceOfAFileIsNamed() throws IOException {
        Path file = Files.createDirectory(directory.resolve("folder.parquet"));

        assertUnreadable(file, EveryType.SCHEMA, "");
    }

    @Test
    void truncatedFileIsNamedWhereverItIsCut() throws IOException {
        Path file = directory.resolve("cut.parquet");
        fixture.write(EveryType.SCHEMA, EveryType.rows(500), file);
        byte[] whole = Files.readAllBytes(file);

        for (int length : List.of(0, 3, 8, whole.length / 2, whole.length - 1)) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertUnreadable(file, EveryType.SCHEMA, "");
        }
    }

    /** A flipped bit may hit what nobody reads; it never goes by with another result. */
    @Test
    void flippedBitIsRefusedOrSeen() throws IOException {
        Path file = directory.resolve("flipped.parquet");
        List<List<@Nullable Object>> rows = EveryType.rows(300);
        fixture.write(EveryType.SCHEMA, rows, file);
        byte[] whole = Files.readAllBytes(file);
        Balance expected = SpecifiedDigest.balance(EveryType.SCHEMA, rows);
        Random random = new Random(11);
        int refused = 0;
        int seen = 0;
        for (int i = 0; i < 80; i++) {
            byte[] flipped = whole.clone();
            flipped[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, flipped);
            Throwable thrown = catchThrowable(() -> {
                Balance found = balance(file);
                if (!found.equals(expected)) {
                    throw new IllegalStateException("seen");
                }
            });
            if (thrown instanceof WeirException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.FILE_UNREADABLE);
                assertThat(e)
                        .hasMessageStartingWith("Cannot read file " + file + ": ")
                        .hasMessageNotContaining("invalidated")
                        .hasMessageNotContaining("Invalid result set");
                refused++;
            } else if (thrown != null) {
                assertThat(thrown).hasMessage("seen");
                seen++;
            }
        }
        assertThat(refused).isGreaterThan(5);
        assertThat(seen).isGreaterThan(5);

        Files.write(file, whole);
        assertThat(balance(file)).isEqualTo(expected);
    }

    private static Balance balance(Path file) {
        return fixture.engine
                .measure(List.of(file), EveryType.SCHEMA, List.of())
                .balance();
    }

    @Test
    void fileOfAnotherTableIsRefused() {
        Path file = directory.resolve("other.parquet");
        fixture.execute("copy (select 'x' as id, 1 as n) to " + DuckdbSql.path(file)
                + " (format parquet, field_ids {id: 21, n: 2})");
        Column required = new Column(
                90,
                "must",
                "integer",
                Types.IntegerType.get(),
                true,
                io.weir.core.row.LossPolicy.FAIL);

        assertUnreadable(
                file,
                EveryType.SCHEMA,
                "a column has another type (column=id, field_id=21, expected=BIGINT,"
                        + " found=VARCHAR)");
        assertUnreadable(
                file,
                new RowSchema(List.of(required), List.of()),
                "it lacks a required column (column=must, field_id=90)");
    }

    @Test
    void fileWithoutFieldIdsIsRefused() {
        Path file = directory.resolve("plain.parquet");
        fixture.execute("copy (select 1 as id) to " + DuckdbSql.path(file) + " (format parquet)");

        assertUnreadable(file, EveryType.SCHEMA, "its columns have no field ids");
    }

    private static void assertUnreadable(Path file, RowSchema schema, String reason) {
        assertThatThrownBy(() -> fixture.engine.measure(List.of(file), schema, List.of()))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_UNREADABLE))
                .hasMessageStartingWith("Cannot read file " + file + ": " + reason);
    }
}
