package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.metric.MetricPlan;
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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

@SuppressWarnings("NullAway.Init")
class FileMeasurementTest {
    /** The metrics of {@link EveryType} in the order of its columns. */
    private static final List<String> OF_NUMBERS = List.of(
            "null_count(id)=0",
            "min(id)=-9223372036854775808",
            "max(id)=9223372036854775807",
            "sum(id)=4",
            "null_count(small)=1",
            "min(small)=-2147483648",
            "max(small)=2147483647",
            "sum(small)=-1",
            "null_count(truth)=1",
            "sum(truth)=1",
            "null_count(ratio)=1",
            "min(ratio)=-Infinity",
            "max(ratio)=Infinity",
            "null_count(exact)=1",
            "min(exact)=-1.7976931348623157E308",
            "max(exact)=Infinity",
            "null_count(price)=1",
            "min(price)=-9999999.99",
            "max(price)=9999999.99",
            "sum(price)=0",
            "null_count(total)=1",
            "min(total)=-99999999999999.9999",
            "max(total)=99999999999999.9999",
            "sum(total)=0",
            "null_count(wide)=1",
            "min(wide)=-9999999999999999999999999999.9999999999",
            "max(wide)=9999999999999999999999999999.9999999999",
            "sum(wide)=0");

    private static final List<String> OF_BYTES = List.of(
            "null_count(name)=1",
            "bytes(name)=20",
            "null_count(code)=1",
            "bytes(code)=15",
            "null_count(facts)=1",
            "bytes(facts)=19",
            "null_count(raw)=1",
            "bytes(raw)=5");

    private static final List<String> OF_TIMES = List.of(
            "null_count(day)=1",
            "min(day)=0001-01-01",
            "max(day)=9999-12-31",
            "null_count(at)=1",
            "min(at)=00:00:00.000000",
            "max(at)=23:59:59.999999",
            "null_count(wall)=1",
            "min(wall)=0001-01-01T00:00:00.000000",
            "max(wall)=9999-12-31T23:59:59.999999",
            "null_count(instant)=1",
            "min(instant)=0001-01-01T00:00:00.000000Z",
            "max(instant)=9999-12-31T23:59:59.999999Z");

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
    void balanceOfEveryTypeIsTheSpecifiedOne() {
        List<List<@Nullable Object>> rows = EveryType.rows(20_000);
        Path file = directory.resolve("every.parquet");
        fixture.write(EveryType.SCHEMA, rows, file);

        Measurement measured = fixture.engine.measure(List.of(file), EveryType.SCHEMA, List.of());

        Balance specified = SpecifiedDigest.balance(EveryType.SCHEMA, rows);
        assertThat(measured.balance()).isEqualTo(specified);
        assertThat(measured.files())
                .containsExactly(new MeasuredFile(file, specified, 0, sha256(file)));
    }

    @Test
    void checksumChangesWithEveryBit() throws IOException {
        Path file = directory.resolve("checksum.parquet");
        fixture.write(EveryType.SCHEMA, EveryType.rows(10), file);
        List<String> before = fixture.engine.checksums(List.of(file));
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);

        assertThat(fixture.engine.checksums(List.of(file)))
                .containsExactly(sha256(file))
                .isNotEqualTo(before);
    }

    @Test
    void checksumOfAMissingFileNamesIt() {
        Path file = directory.resolve("gone.parquet");

        assertThatThrownBy(() -> fixture.engine.checksums(List.of(file)))
                .isInstanceOfSatisfying(WeirException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.FILE_UNREADABLE);
                    assertThat(e.text()).contains(file.toString());
                });
    }

    private static String sha256(Path file) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void metricsOfEveryTypeAreExact() {
        Path file = directory.resolve("every.parquet");
        fixture.write(EveryType.SCHEMA, EveryType.rows(4), file);
        List<MetricName> names = new ArrayList<>(
                MetricPlan.expectation(EveryType.SCHEMA, MetricPlan.Verify.METRICS));
        names.add(MetricName.BALANCE);

        Measurement measured = fixture.engine.measure(List.of(file), EveryType.SCHEMA, names);

        assertThat(measured.metrics()).extracting(Measure::name).containsExactlyElementsOf(names);
        List<String> expected = new ArrayList<>(List.of("row_count=4"));
        expected.addAll(OF_NUMBERS);
        expected.addAll(OF_BYTES);
        expected.addAll(OF_TIMES);
        expected.add("null_count(ref)=1");
        expected.add("balance=" + SpecifiedDigest.balance(EveryType.SCHEMA, EveryType.rows(4)));
        assertThat(texts(measured)).containsExactlyElementsOf(expected);
    }

    private static List<String> texts(Measurement measured) {
        return measured.metrics().stream()
                .map(measure -> measure.name() + "=" + measure.value())
                .toList();
    }

    @Test
    void sumsBeyondThirtyEightDigitsStayExact() {
        RowSchema schema = new RowSchema(
                List.of(EveryType.column(
                        1, "wide", "numeric(38,10)", Types.DecimalType.of(38, 10))),
                List.of());
        List<List<@Nullable Object>> rows = java.util.Collections.nCopies(
                30, Arrays.<@Nullable Object>asList(EveryType.WIDEST));
        Path file = directory.resolve("wide.parquet");
        fixture.write(schema, rows, file);

        Measurement measured = fixture.engine.measure(
                List.of(file), schema, List.of(new MetricName(MetricKind.SUM, "wide")));

        assertThat(texts(measured))
                .containsExactly("sum(wide)=299999999999999999999999999999.999999997");
    }

    @Test
    void nanIsTheGreatestAndZeroHasNoSign() {
        RowSchema schema = new RowSchema(
                List.of(
                        EveryType.column(1, "x", "real", Types.FloatType.get()),
                        EveryType.column(2, "y", "double", Types.DoubleType.get())),
                List.of());
        Path file = directory.resolve("nan.parquet");
        fixture.write(
                schema,
                List.of(
                        Arrays.asList(Float.NaN, 0.0),
                        Arrays.asList(Float.POSITIVE_INFINITY, -0.0),
                        Arrays.asList(0.1f, -0.0)),
                file);

        Measurement measured = fixture.engine.measure(
                List.of(file),
                schema,
                List.of(
                        new MetricName(MetricKind.MIN, "x"),
                        new MetricName(MetricKind.MAX, "x"),
                        new MetricName(MetricKind.MIN, "y"),
                        new MetricName(MetricKind.MAX, "y")));

        assertThat(texts(measured))
                .containsExactly(
                        "min(x)=0.10000000149011612", "max(x)=NaN", "min(y)=0.0", "max(y)=0.0");
    }

    @Test
    void nothingHasNoExtremesAndNoSum() {
        RowSchema schema = EveryType.SCHEMA;

        Measurement measured = fixture.engine.measure(
                List.of(),
                schema,
                List.of(
                        MetricName.ROW_COUNT,
                        MetricName.DUPLICATE_KEYS,
                        new MetricName(MetricKind.NULL_COUNT, "id"),
                        new MetricName(MetricKind.SUM, "id"),
                        new MetricName(MetricKind.SUM, "truth"),
                        new MetricName(MetricKind.MIN, "day"),
                        new MetricName(MetricKind.MAX, "ratio"),
                        new MetricName(MetricKind.BYTES, "name")));

        assertThat(measured.balance()).isEqualTo(Balance.ZERO);
        assertThat(texts(measured))
                .containsExactly(
                        "row_count=0",
                        "duplicate_keys=0",
                        "null_count(id)=0",
                        "sum(id)=null",
                        "sum(truth)=0",
                        "min(day)=null",
                        "max(ratio)=null",
                        "bytes(name)=null");
    }

    @Test
    void refusesMetricThatATypeDoesNotHave() {
        List<MetricName> sumOfText = List.of(new MetricName(MetricKind.SUM, "name"));

        assertThatThrownBy(() -> fixture.engine.measure(List.of(), EveryType.SCHEMA, sumOfText))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("No metric sum(name) of a column of type string");
    }

    @Test
    void columnsAreFoundByFieldIdWhateverTheirNameAndPlace() {
        List<List<@Nullable Object>> rows = EveryType.rows(100);
        Path file = directory.resolve("every.parquet");
        fixture.write(EveryType.SCHEMA, rows, file);
        List<Column> renamed = new ArrayList<>();
        for (Column column : EveryType.SCHEMA.columns()) {
            // Every column takes the name of another one.
            int other = (column.fieldId() + 5) % 17;
            renamed.add(
                    0,
                    EveryType.column(
                            column.fieldId(),
                            EveryType.SCHEMA.columns().get(other).name() + column.fieldId(),
                            column.sourceType(),
                            column.type()));
        }
        renamed.add(EveryType.column(40, "added later", "text", Types.StringType.get()));

        Measurement measured =
                fixture.engine.measure(List.of(file), new RowSchema(renamed, List.of()), List.of());

        assertThat(measured.balance()).isEqualTo(SpecifiedDigest.balance(EveryType.SCHEMA, rows));
    }

    @Test
    void widenedColumnKeepsItsBalance() {
        Path file = directory.resolve("narrow.parquet");
        RowSchema narrow = new RowSchema(
                List.of(
                        EveryType.column(1, "n", "integer", Types.IntegerType.get()),
                        EveryType.column(2, "x", "real", Types.FloatType.get()),
                        EveryType.column(3, "d", "numeric(9,2)", Types.DecimalType.of(9, 2))),
                List.of());
        RowSchema wide = new RowSchema(
                List.of(
                        EveryType.column(1, "n", "bigint", Types.LongType.get()),
                        EveryType.column(2, "x", "double", Types.DoubleType.get()),
                        EveryType.column(3, "d", "numeric(30,2)", Types.DecimalType.of(30, 2))),
                List.of());
        List<List<@Nullable Object>> rows =
                List.of(Arrays.asList(-7, 0.1f, new java.math.BigDecimal("12.30")));
        fixture.write(narrow, rows, file);

        Measurement measured = fixture.engine.measure(List.of(file), wide, List.of());

        assertThat(measured.balance()).isEqualTo(SpecifiedDigest.balance(narrow, rows));
    }

    @Test
    void largeFileIsCutIntoSlicesThatAddUp() {
        RowSchema schema = new RowSchema(
                List.of(EveryType.column(1, "id", "bigint", Types.LongType.get())), List.of("id"));
        Path large = directory.resolve("large.parquet");
        Path small = directory.resolve("small.parquet");
        fixture.execute("copy (from range(1200000) t(id)) to " + DuckdbSql.path(large)
                + " (format parquet, field_ids {id: 1})");
        fixture.execute("copy (from range(1200000, 1200010) t(id)) to " + DuckdbSql.path(small)
                + " (format parquet, field_ids {id: 1})");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (long id = 0; id < 1_200_000; id++) {
            rows.add(Arrays.asList(id));
        }

        Measurement measured = fixture.engine.measure(
                List.of(large, small),
                schema,
                List.of(
                        MetricName.DUPLICATE_KEYS,
                        new MetricName(MetricKind.SUM, "id"),
                        new MetricName(MetricKind.MIN, "id"),
                        new MetricName(MetricKind.MAX, "id")));

        Balance specified = SpecifiedDigest.balance(schema, rows);
        assertThat(measured.files().get(0).balance()).isEqualTo(specified);
        assertThat(measured.files().get(1).balance().rows()).isEqualTo(10);
        assertThat(measured.balance())
                .isEqualTo(specified.plus(measured.files().get(1).balance()));
        assertThat(texts(measured))
                .containsExactly(
                        "duplicate_keys=0", "sum(id)=720011400045", "min(id)=0", "max(id)=1200009");
    }
}
