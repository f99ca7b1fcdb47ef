package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;
import io.weir.core.row.RowSchema;

import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a file says of itself is what was said when it was written. */
@SuppressWarnings("NullAway.Init")
class FileDescriptionTest {
    private static final String LAST = "\uDBFF\uDFFF";

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

    private WrittenFile assertSameRows(RowSchema schema, List<List<@Nullable Object>> rows) {
        Path file = directory.resolve("it's [1] *?.parquet");
        WrittenFile written = fixture.write(schema, rows, file);
        WrittenFile described = fixture.engine.describe(file, schema);
        assertThat(described.lowerBounds()).isEqualTo(written.lowerBounds());
        assertThat(described.upperBounds()).isEqualTo(written.upperBounds());
        assertThat(described).isEqualTo(written);
        return described;
    }

    private static RowSchema one(Type type) {
        return new RowSchema(List.of(EveryType.column(7, "x", "x", type)), List.of());
    }

    private static List<List<@Nullable Object>> rows(@Nullable Object... values) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Object value : values) {
            rows.add(Collections.singletonList(value));
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 500})
    void everyTypeIsDescribedAsItWasWritten(int count) {
        WrittenFile described =
                assertSameRows(EveryType.SCHEMA, EveryType.rows(4 + count).subList(0, count));

        assertThat(described.valueCounts()).hasSize(17).containsEntry(21, (long) count);
        assertThat(described.lowerBounds()).hasSizeGreaterThanOrEqualTo(15).doesNotContainKey(1);
    }

    @Test
    void valuesOfManyRowGroupsArePutTogether() {
        RowSchema schema = new RowSchema(
                List.of(
                        EveryType.column(1, "id", "bigint", Types.LongType.get()),
                        EveryType.column(2, "name", "text", Types.StringType.get()),
                        EveryType.column(3, "price", "numeric(9,2)", Types.DecimalType.of(9, 2)),
                        EveryType.column(4, "raw", "bytea", Types.BinaryType.get()),
                        EveryType.column(5, "day", "date", Types.DateType.get()),
                        EveryType.column(6, "often", "text", Types.StringType.get()),
                        EveryType.column(7, "ratio", "real", Types.FloatType.get())),
                List.of("id"));
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 400_000; i++) {
            rows.add(Arrays.asList(
                    i - 200_000L,
                    "name " + i,
                    BigDecimal.valueOf(i - 9, 2),
                    ("raw " + i).getBytes(StandardCharsets.US_ASCII),
                    i - 100_000,
                    i % 1_000 == 0 ? "one" : null,
                    i == 5 ? Float.NaN : (float) i));
        }

        WrittenFile described = assertSameRows(schema, rows);

        assertThat(described.splitOffsets()).hasSizeGreaterThan(2).isSorted();
        assertThat(described.nullCounts()).containsEntry(6, 399_600L);
        assertThat(bound(Types.LongType.get(), described.lowerBounds().get(1)))
                .isEqualTo(-200_000L);
        assertThat(bound(Types.LongType.get(), described.upperBounds().get(1))).isEqualTo(199_999L);
        assertThat(bound(Types.StringType.get(), described.upperBounds().get(6)))
                .hasToString("one");
        assertThat(described.upperBounds()).doesNotContainKey(7);
    }

    private static Object bound(Type type, @Nullable ByteBuffer bytes) {
        return Conversions.fromByteBuffer(type, Objects.requireNonNull(bytes));
    }

    @Test
    void columnsWithoutValuesOrOrderHaveNoBounds() {
        WrittenFile nulls = assertSameRows(one(Types.IntegerType.get()), rows(null, null));
        assertThat(nulls.nullCounts()).isEqualTo(Map.of(7, 2L));
        assertThat(nulls.lowerBounds()).isEmpty();
        WrittenFile nan = assertSameRows(one(Types.DoubleType.get()), rows(1.0, Double.NaN, null));
        assertThat(nan.upperBounds()).isEmpty();
    }

    @Test
    void zerosAndInfinitiesStayWhatTheyAre() {
        assertSameRows(one(Types.DoubleType.get()), rows(0.0, -0.0));
        assertSameRows(
                one(Types.DoubleType.get()), rows(Double.MIN_VALUE, Double.POSITIVE_INFINITY));
        assertSameRows(
                one(Types.FloatType.get()), rows(Float.NEGATIVE_INFINITY, 0.1f, 16_777_216f));
        assertSameRows(one(Types.FloatType.get()), rows(Float.MIN_VALUE, Float.MAX_VALUE));
        WrittenFile infinite =
                assertSameRows(one(Types.DoubleType.get()), rows(Double.NEGATIVE_INFINITY, 1.0));
        assertThat(bound(Types.DoubleType.get(), infinite.lowerBounds().get(7)))
                .isEqualTo(Double.NEGATIVE_INFINITY);
        WrittenFile nan = assertSameRows(
                one(Types.DoubleType.get()), rows(Double.NEGATIVE_INFINITY, Double.NaN));
        assertThat(nan.lowerBounds()).isEmpty();
    }

    @Test
    void timesOutsideOfTheUsualYearsAreDescribedAlike() {
        long day = EveryType.DAY_MICROS;
        assertSameRows(one(Types.DateType.get()), rows(EveryType.YEAR_1 - 800, 3_789_755));
        assertSameRows(one(Types.TimeType.get()), rows(0L, day));
        assertSameRows(one(Types.TimestampType.withZone()), rows(-5L * 365 * 1_000 * day, 1L));
        assertSameRows(one(Types.TimestampType.withoutZone()), rows(-1L, 3_789_755L * day + 1));
    }

    /** DuckDB keeps a prefix of long texts in its statistics, for both ways of asking. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 9, 15, 16, 17, 255, 256, 257, 9_999, 10_001})
    void longTextsAreDescribedAlike(int length) {
        List<String> texts = Stream.of("x", "é", "\uD83D\uDE80", LAST, "\u0000", "'", "\\", "\"")
                .map(text -> text.repeat(length))
                .toList();

        WrittenFile described = assertSame(columns(texts.size(), Types.StringType.get()), texts);

        for (int i = 0; i < texts.size(); i++) {
            assertCovered(described, i + 1, texts.get(i).getBytes(StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 255, 256, 300, 12_000})
    void bytesOfAnyKindAreDescribedAlike(int length) {
        List<byte[]> values = List.of(new byte[length], new byte[length], new byte[length]);
        new Random(3).nextBytes(values.get(1));
        Arrays.fill(values.get(2), (byte) -1);

        WrittenFile described = assertSame(columns(values.size(), Types.BinaryType.get()), values);

        for (int i = 0; i < values.size(); i++) {
            assertCovered(described, i + 1, values.get(i));
        }
    }

    private static RowSchema columns(int count, Type type) {
        return new RowSchema(
                IntStream.rangeClosed(1, count)
                        .mapToObj(id -> EveryType.column(id, "x" + id, "x", type))
                        .toList(),
                List.of());
    }

    /** One row of values and one of NULLs. */
    private WrittenFile assertSame(RowSchema schema, List<? extends Object> values) {
        List<@Nullable Object> nulls = Collections.nCopies(values.size(), null);
        return assertSameRows(schema, List.of(new ArrayList<>(values), nulls));
    }

    /** Bounds may be wider than the values, never tighter. */
    private static void assertCovered(WrittenFile described, int id, byte[] value) {
        ByteBuffer lower = described.lowerBounds().get(id);
        ByteBuffer upper = described.upperBounds().get(id);
        if (lower != null) {
            assertThat(Arrays.compareUnsigned(bytes(lower), value)).isLessThanOrEqualTo(0);
        }
        if (upper != null) {
            assertThat(Arrays.compareUnsigned(bytes(upper), value)).isGreaterThanOrEqualTo(0);
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
    }

    /** A text that has no greater one among those as short leaves its row group without a bound. */
    @Test
    void oneRowGroupWithoutABoundLeavesTheColumnWithoutIt() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 300_000; i++) {
            rows.add(Collections.singletonList(i == 7 ? LAST.repeat(300) : "name " + i));
        }

        WrittenFile described = assertSameRows(one(Types.StringType.get()), rows);

        assertCovered(described, 7, LAST.repeat(300).getBytes(StandardCharsets.UTF_8));
        assertThat(described.upperBounds()).isEmpty();
    }

    /** The footer does not show which infinity it is; the bounds hold for both. */
    @Test
    void infinitiesAloneHaveTheWidestBounds() {
        Path file = directory.resolve("infinite.parquet");
        RowSchema schema = one(Types.FloatType.get());

        WrittenFile written = fixture.write(schema, rows(Float.NEGATIVE_INFINITY), file);
        WrittenFile described = fixture.engine.describe(file, schema);

        assertThat(bound(Types.FloatType.get(), written.upperBounds().get(7)))
                .isEqualTo(Float.NEGATIVE_INFINITY);
        assertThat(bound(Types.FloatType.get(), described.upperBounds().get(7)))
                .isEqualTo(Float.POSITIVE_INFINITY);
        assertThat(described.lowerBounds()).isEqualTo(written.lowerBounds());
    }

    /** Tighter than the writer's, which has none then. */
    @Test
    void aRowGroupOfNullsAloneTakesTheBoundsFromTheWriterOnly() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < 300_000; i++) {
            rows.add(Collections.singletonList(i < 4 ? i : null));
        }
        Path file = directory.resolve("sparse.parquet");
        RowSchema schema = one(Types.IntegerType.get());

        WrittenFile written = fixture.write(schema, rows, file);
        WrittenFile described = fixture.engine.describe(file, schema);

        assertThat(written.lowerBounds()).isEmpty();
        assertThat(bound(Types.IntegerType.get(), described.lowerBounds().get(7)))
                .isEqualTo(0);
        assertThat(bound(Types.IntegerType.get(), described.upperBounds().get(7)))
                .isEqualTo(3);
        assertThat(described.nullCounts()).isEqualTo(written.nullCounts());
        assertThat(described.splitOffsets()).isEqualTo(written.splitOffsets());
    }

    /** A file from before a column was widened or added. */
    @Test
    void columnsThatTheTableWidenedAreDescribedInTheTypeOfTheTable() {
        Path file = directory.resolve("old.parquet");
        fixture.execute(
                "copy (select -1::integer as a, 0.1::float as b, 1.25::decimal(5,2) as c)" + " to "
                        + DuckdbSql.path(file) + " (format parquet, field_ids {a: 1, b: 2, c: 3})");
        RowSchema schema = new RowSchema(
                List.of(
                        EveryType.column(1, "A", "bigint", Types.LongType.get()),
                        EveryType.column(2, "b", "double", Types.DoubleType.get()),
                        EveryType.column(3, "c", "numeric(9,2)", Types.DecimalType.of(9, 2)),
                        EveryType.column(4, "d", "text", Types.StringType.get())),
                List.of());

        WrittenFile described = fixture.engine.describe(file, schema);

        assertThat(described.valueCounts()).isEqualTo(Map.of(1, 1L, 2, 1L, 3, 1L));
        assertThat(bound(Types.LongType.get(), described.lowerBounds().get(1))).isEqualTo(-1L);
        assertThat(bound(Types.DoubleType.get(), described.upperBounds().get(2)))
                .isEqualTo((double) 0.1f);
        assertThat(bound(Types.DecimalType.of(9, 2), described.upperBounds().get(3)))
                .isEqualTo(new BigDecimal("1.25"));
    }

    @Test
    void filesThatCannotBeReadAreNamed() throws IOException {
        Path file = directory.resolve("file.parquet");
        assertUnreadable(file, EveryType.SCHEMA, "IO Error: No files found");

        fixture.write(EveryType.SCHEMA, EveryType.rows(500), file);
        byte[] whole = Files.readAllBytes(file);
        for (int length : List.of(0, 3, 8, whole.length / 2, whole.length - 1)) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertUnreadable(file, EveryType.SCHEMA, "");
        }

        fixture.execute("copy (select 1::bigint as x where false) to " + DuckdbSql.path(file)
                + " (format parquet, field_ids {x: 7})");
        assertUnreadable(file, one(Types.LongType.get()), "it holds no rows");
        fixture.execute("copy (select null::bigint as x) to " + DuckdbSql.path(file)
                + " (format parquet, field_ids {x: 7})");
        Column required = new Column(7, "x", "x", Types.LongType.get(), true, LossPolicy.FAIL);
        assertUnreadable(
                file,
                new RowSchema(List.of(required), List.of()),
                "its footer contradicts itself (column=x, nulls=1, rows=1)");
        assertUnreadable(file, one(Types.DateType.get()), "a column has another type");
    }

    /** A damaged footer is refused; where a bit of a bound itself flipped, nobody can know. */
    @Test
    void aDamagedFooterBreaksNothingElse() throws IOException {
        Path file = directory.resolve("flipped.parquet");
        RowSchema schema = one(Types.LongType.get());
        WrittenFile written = fixture.write(schema, rows(1L, 2L, null), file);
        byte[] whole = Files.readAllBytes(file);
        int refused = 0;
        for (int at = whole.length / 3; at < whole.length; at += 5) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            Files.write(file, damaged);
            try {
                WrittenFile described = fixture.engine.describe(file, schema);
                assertThat(described.rows()).isEqualTo(written.rows());
                assertThat(described.valueCounts()).isIn(written.valueCounts(), Map.of());
            } catch (WeirException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.FILE_UNREADABLE);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(5);

        Files.write(file, whole);
        assertThat(fixture.engine.describe(file, schema)).isEqualTo(written);
    }

    private static void assertUnreadable(Path file, RowSchema schema, String reason) {
        assertThatThrownBy(() -> fixture.engine.describe(file, schema))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_UNREADABLE))
                .hasMessageStartingWith("Cannot read file " + file + ": " + reason);
    }
}
