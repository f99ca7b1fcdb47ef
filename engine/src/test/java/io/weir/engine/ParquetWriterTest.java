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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

@SuppressWarnings("NullAway.Init")
class ParquetWriterTest {
    private static final RowSchema NAMES = new RowSchema(
            List.of(
                    EveryType.column(1, "id", "bigint", Types.LongType.get()),
                    EveryType.column(2, "name", "text", Types.StringType.get())),
            List.of("id"));

    @TempDir
    Path directory;

    @TempDir
    static Path spill;

    private static EngineFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(spill);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void everyTypeHasTheLogicalTypeThatIcebergReads() {
        Path file = directory.resolve("every.parquet");

        fixture.write(EveryType.SCHEMA, EveryType.rows(10), file);

        assertThat(fixture.lines("select name, field_id, type, type_length, converted_type, scale,"
                        + " precision, logical_type from parquet_schema("
                        + DuckdbSql.pattern(file) + ") where column_id > 0"))
                .containsExactly(
                        "id|21|INT64|null|INT_64|null|null|null",
                        "small|2|INT32|null|INT_32|null|null|null",
                        "truth|3|BOOLEAN|null|null|null|null|null",
                        "ratio|4|FLOAT|null|null|null|null|null",
                        "exact|5|DOUBLE|null|null|null|null|null",
                        "price|6|INT32|null|DECIMAL|2|9|DecimalType(scale=2, precision=9)",
                        "total|7|INT64|null|DECIMAL|4|18|DecimalType(scale=4, precision=18)",
                        "wide|8|FIXED_LEN_BYTE_ARRAY|16|DECIMAL|10|38|DecimalType(scale=10,"
                                + " precision=38)",
                        "name|9|BYTE_ARRAY|null|UTF8|null|null|null",
                        "code|10|BYTE_ARRAY|null|UTF8|null|null|null",
                        "facts|11|BYTE_ARRAY|null|UTF8|null|null|null",
                        "raw|12|BYTE_ARRAY|null|null|null|null|null",
                        "day|13|INT32|null|DATE|null|null|null",
                        "at|14|INT64|null|TIME_MICROS|null|null|" + micros("TimeType", 0),
                        "wall|15|INT64|null|TIMESTAMP_MICROS|null|null|"
                                + micros("TimestampType", 0),
                        "instant|16|INT64|null|TIMESTAMP_MICROS|null|null|"
                                + micros("TimestampType", 1),
                        "ref|1|FIXED_LEN_BYTE_ARRAY|16|null|null|null|UUIDType()");
    }

    private static String micros(String type, int adjusted) {
        return type + "(isAdjustedToUTC=" + adjusted
                + ", unit=TimeUnit(MILLIS=<null>, MICROS=MicroSeconds(), NANOS=<null>))";
    }

    @Test
    void valuesAtTheEdgesReadBackAsTheyWere() {
        Path file = directory.resolve("every.parquet");

        fixture.write(EveryType.SCHEMA, EveryType.rows(4), file);

        assertThat(fixture.lines(
                        "select id, small, truth, ratio, price, wide, code, facts, hex(raw),"
                                + " day::varchar, \"at\"::varchar, wall::varchar,"
                                + " instant::varchar, ref::varchar from "
                                + DuckdbSql.pattern(file) + " order by id"))
                .containsExactly(
                        "-9223372036854775808|-2147483648|false|-Infinity|-9999999.99|"
                                + "-9999999999999999999999999999.9999999999|     |null||"
                                + "0001-01-01|00:00:00|0001-01-01 00:00:00|0001-01-01 00:00:00+00|"
                                + "00000000-0000-0000-0000-000000000000",
                        "2|null|null|null|null|null|null|null|null|null|null|null|null|null",
                        "3|0|false|-0.0|0.00|0E-10|abcde|{}|00|1970-01-01|00:00:00.000001|"
                                + "1970-01-01 00:00:00|1969-12-31 23:59:59.999999+00|"
                                + "00000000-0000-0001-0000-000000000002",
                        "9223372036854775807|2147483647|true|Infinity|9999999.99|"
                                + "9999999999999999999999999999.9999999999|ab   |{\"a\": [1, 2]}|"
                                + "00FF7F80|9999-12-31|23:59:59.999999|9999-12-31 23:59:59.999999|"
                                + "9999-12-31 23:59:59.999999+00|"
                                + "ffffffff-ffff-ffff-ffff-ffffffffffff");
        assertThat(fixture.lines("select name from " + DuckdbSql.pattern(file)
                        + " where id = 9223372036854775807"))
                .containsExactly("\u0130stanbul \uD83D\uDE80 \n'\"\\");
    }

    @Test
    void reportsCountsBoundsAndSplits() throws IOException {
        Path file = directory.resolve("names.parquet");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (long id = 0; id < 300_000; id++) {
            rows.add(Arrays.asList(id, id % 3 == 0 ? null : "name " + id));
        }

        WrittenFile written = fixture.write(NAMES, rows, file);

        assertThat(written.path()).isEqualTo(file);
        assertThat(written.rows()).isEqualTo(300_000);
        assertThat(written.bytes()).isEqualTo(Files.size(file));
        assertThat(written.valueCounts()).isEqualTo(Map.of(1, 300_000L, 2, 300_000L));
        assertThat(written.nullCounts()).isEqualTo(Map.of(1, 0L, 2, 100_000L));
        assertThat(bound(Types.LongType.get(), written.lowerBounds().get(1))).isEqualTo(0L);
        assertThat(bound(Types.LongType.get(), written.upperBounds().get(1))).isEqualTo(299_999L);
        assertThat(bound(Types.StringType.get(), written.lowerBounds().get(2)))
                .hasToString("name 1");
        assertThat(bound(Types.StringType.get(), written.upperBounds().get(2)))
                .hasToString("name 99998");
        assertThat(written.columnSizes().values().stream()
                        .mapToLong(size -> size)
                        .sum())
                .isBetween(written.bytes() / 2, written.bytes());
        assertThat(written.splitOffsets())
                .hasSizeBetween(3, 4)
                .isSorted()
                .startsWith(4L)
                .allMatch(offset -> offset < written.bytes());
        assertThat(listed()).containsExactly("names.parquet");
    }

    private static Object bound(Type type, @Nullable ByteBuffer bytes) {
        return Conversions.fromByteBuffer(type, Objects.requireNonNull(bytes));
    }

    @Test
    void columnWithNanAndUuidColumnHaveNoBounds() {
        RowSchema schema = new RowSchema(
                List.of(
                        EveryType.column(1, "x", "real", Types.FloatType.get()),
                        EveryType.column(2, "y", "double", Types.DoubleType.get()),
                        EveryType.column(3, "u", "uuid", Types.UUIDType.get())),
                List.of());
        List<List<@Nullable Object>> rows = List.of(
                Arrays.asList(Float.NaN, 1.5, new UUID(1, 1)), Arrays.asList(1.0f, -0.0, null));

        WrittenFile written = fixture.write(schema, rows, directory.resolve("nan.parquet"));

        assertThat(written.lowerBounds()).containsOnlyKeys(2);
        assertThat(written.upperBounds()).containsOnlyKeys(2);
        assertThat(bound(Types.DoubleType.get(), written.lowerBounds().get(2))).isEqualTo(-0.0);
    }

    @Test
    void zeroRowsLeaveNoFile() throws IOException {
        WrittenFile written = fixture.write(NAMES, List.of(), directory.resolve("none.parquet"));

        assertThat(written.rows()).isZero();
        assertThat(written.bytes()).isZero();
        assertThat(listed()).isEmpty();
    }

    @Test
    void createsDirectoriesAndReplacesWhatAnEarlierAttemptLeft() throws IOException {
        Path file = directory.resolve("run=1/p=2/e=[3]/chunk *?'0'.parquet");
        Files.createDirectories(DurableFiles.parentOf(file));
        Files.writeString(file, "old");
        Files.writeString(file.resolveSibling("." + file.getFileName() + ".tmp"), "half");

        fixture.write(NAMES, List.of(Arrays.asList(1L, "a")), file);

        assertThat(fixture.engine
                        .measure(List.of(file), NAMES, List.of())
                        .balance()
                        .rows())
                .isEqualTo(1);
        try (Stream<Path> files = Files.list(DurableFiles.parentOf(file))) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void exceptionOfTheReaderComesOutAsItself() throws IOException {
        WeirException lost =
                new WeirException(ErrorCode.SOURCE_CONNECTION_LOST, "Cannot read table t: reset");
        List<List<@Nullable Object>> rows =
                Collections.nCopies(10_000, Arrays.<@Nullable Object>asList(1L, "a"));
        Path file = directory.resolve("lost.parquet");
        try (FailingBatches batches = new FailingBatches(fixture.allocator, NAMES, rows, lost)) {
            assertThatThrownBy(() -> fixture.engine.write(batches, NAMES, file)).isSameAs(lost);
        }

        assertThat(listed()).isEmpty();
        assertThat(fixture.allocator.getAllocatedMemory()).isZero();
    }

    @Test
    void inputOutputErrorOfTheReaderFailsTheWrite() throws IOException {
        IOException broken = new IOException("pipe broke");
        Path file = directory.resolve("broken.parquet");
        try (FailingBatches batches =
                new FailingBatches(fixture.allocator, NAMES, List.of(), broken)) {
            assertThatThrownBy(() -> fixture.engine.write(batches, NAMES, file))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.ENGINE_FAILED))
                    .hasMessage("Cannot write file " + file + ": pipe broke")
                    .hasCause(broken);
        }
    }

    @Test
    void refusesRowsThatDoNotFitTheSchema() {
        List<List<@Nullable Object>> rows = List.of(Arrays.asList(1L, "a"));
        Column id = EveryType.column(1, "id", "integer", Types.IntegerType.get());
        Column gone = EveryType.column(3, "gone", "text", Types.StringType.get());
        Column upper = EveryType.column(3, "ID", "text", Types.StringType.get());

        assertRefused(
                rows,
                List.of(id),
                "the rows have another type than the table (column=id,"
                        + " rows=Int(64, true), table=int)");
        assertRefused(rows, List.of(gone), "the rows lack a column (column=gone)");
        assertRefused(
                rows,
                List.of(NAMES.column("id"), upper),
                "column names differ only in case (column=ID)");
    }

    @Test
    void refusesNullInRequiredColumn() throws IOException {
        Column name = new Column(2, "name", "text", Types.StringType.get(), true, LossPolicy.FAIL);

        assertRefused(
                List.of(Arrays.asList(1L, null), Arrays.asList(2L, "b")),
                List.of(NAMES.column("id"), name),
                "a required column has NULL (column=name, nulls=1)");
        assertThat(listed()).isEmpty();
    }

    private void assertRefused(
            List<List<@Nullable Object>> rows, List<Column> columns, String reason) {
        Path file = directory.resolve("refused.parquet");
        RowSchema schema = new RowSchema(columns, List.of());
        try (RowBatches batches = new RowBatches(fixture.allocator, NAMES, rows, 10)) {
            assertThatThrownBy(() -> fixture.engine.write(batches, schema, file))
                    .isInstanceOfSatisfying(
                            WeirException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.ENGINE_FAILED))
                    .hasMessage("Cannot write file " + file + ": " + reason);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void namesOfAnyKindSurvive() {
        RowSchema schema = new RowSchema(
                List.of(
                        EveryType.column(5, "we ird\"x'y", "text", Types.StringType.get()),
                        EveryType.column(7, "select", "text", Types.StringType.get()),
                        EveryType.column(9, "Größe €", "text", Types.StringType.get())),
                List.of());
        Path file = directory.resolve("names.parquet");

        WrittenFile written = fixture.write(schema, List.of(Arrays.asList("a", "b", "c")), file);

        assertThat(written.nullCounts()).isEqualTo(Map.of(5, 0L, 7, 0L, 9, 0L));
        assertThat(fixture.lines("select name, field_id from parquet_schema("
                        + DuckdbSql.pattern(file) + ") where column_id > 0"))
                .containsExactly("we ird\"x'y|5", "select|7", "Größe €|9");
    }

    @Test
    void wideRowsMakeRowGroupsBoundedInBytes() {
        String wide = "0123456789abcdef".repeat(1_024);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (long id = 0; id < 5_000; id++) {
            rows.add(Arrays.asList(id, id + wide));
        }
        Path file = directory.resolve("wide.parquet");

        WrittenFile written = fixture.write(NAMES, rows, file);

        assertThat(written.rows()).isEqualTo(5_000);
        assertThat(fixture.lines("select max(b) < 64 * 1024 * 1024, count(*) >= 2 from (select"
                        + " sum(total_uncompressed_size) b from parquet_metadata("
                        + DuckdbSql.pattern(file) + ") group by row_group_id)"))
                .containsExactly("true|true");
    }

    @Test
    void severalThreadsWriteAtOnce() throws Exception {
        List<List<@Nullable Object>> rows = EveryType.rows(3_000);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<WrittenFile>> running = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Path file = directory.resolve("parallel-" + i + ".parquet");
            files.add(file);
            running.add(pool.submit(() -> fixture.write(EveryType.SCHEMA, rows, file)));
        }
        for (Future<WrittenFile> write : running) {
            assertThat(write.get(60, TimeUnit.SECONDS).rows()).isEqualTo(3_000);
        }
        pool.shutdown();

        Measurement measured = fixture.engine.measure(files, EveryType.SCHEMA, List.of());

        assertThat(measured.files())
                .extracting(MeasuredFile::balance)
                .containsOnly(SpecifiedDigest.balance(EveryType.SCHEMA, rows));
    }

    private List<String> listed() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
