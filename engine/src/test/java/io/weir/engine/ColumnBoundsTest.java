package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;

class ColumnBoundsTest {
    private static final Type STRING = Types.StringType.get();

    @Test
    void numbersAndTimesAreExact() {
        assertBounds(Types.BooleanType.get(), "0", "1", false, true);
        assertBounds(Types.IntegerType.get(), "-5", "7", -5, 7);
        assertBounds(Types.LongType.get(), "-5", "9223372036854775807", -5L, Long.MAX_VALUE);
        assertBounds(
                Types.DecimalType.of(38, 10),
                "-1.5000000000",
                "1.0000000000",
                new BigDecimal("-1.5000000000"),
                new BigDecimal("1.0000000000"));
        assertBounds(
                Types.DateType.get(), "0001-01-01", "12345-12-31", EveryType.YEAR_1, 3_789_755);
        assertBounds(Types.TimeType.get(), "00:00:00", "23:59:59.000001", 0L, 86_399_000_001L);
        assertBounds(
                Types.TimestampType.withoutZone(),
                "0001-01-01 00:00:00",
                "1970-01-02 00:00:00.5",
                EveryType.YEAR_1 * EveryType.DAY_MICROS,
                86_400_500_000L);
        assertBounds(
                Types.TimestampType.withZone(),
                "1969-12-31 23:59:59.999999+00",
                "1970-01-01 00:00:01+00",
                -1L,
                1_000_000L);
    }

    @Test
    void zeroBoundsOfFloatingNumbersCoverBothZeros() {
        assertBounds(Types.DoubleType.get(), "0.0", "-0.0", -0.0, 0.0);
        assertBounds(Types.FloatType.get(), "0.0", "-0.0", -0.0f, 0.0f);
        assertBounds(Types.DoubleType.get(), "-inf", "1e+300", Double.NEGATIVE_INFINITY, 1e300);
    }

    @Test
    void valuesOutsideOfWhatIsUnderstoodHaveNoBound() {
        assertThat(ColumnBounds.lower(Types.DateType.get(), Map.of("min", "0044-03-15 (BC)")))
                .isNull();
        assertThat(ColumnBounds.upper(Types.TimeType.get(), Map.of("max", "24:00:00")))
                .isNull();
        assertThat(ColumnBounds.upper(
                        Types.UUIDType.get(),
                        Map.of("max", "ffffffff-ffff-ffff-ffff-ffffffffffff")))
                .isNull();
        assertThat(ColumnBounds.upper(
                        Types.DoubleType.get(), Map.of("max", "1.0", "has_nan", "true")))
                .isNull();
        assertThat(ColumnBounds.lower(STRING, Map.of())).isNull();
    }

    @Test
    void textIsCutToSixteenCodePoints() {
        String rockets = "\uD83D\uDE80".repeat(16);

        assertBounds(STRING, "abc", "abc", "abc", "abc");
        assertBounds(
                STRING,
                "0123456789abcdef",
                "0123456789abcdef",
                "0123456789abcdef",
                "0123456789abcdef");
        assertBounds(
                STRING,
                "0123456789abcdefg",
                "0123456789abcdefg",
                "0123456789abcdef",
                "0123456789abcdeg");
        assertBounds(
                STRING,
                rockets + "x",
                rockets + "x",
                rockets,
                "\uD83D\uDE80".repeat(15) + "\uD83D\uDE81");
    }

    @Test
    void upperBoundOfTextIsRaisedWhereItCanBe() {
        String last = "\uDBFF\uDFFF";

        assertThat(ColumnBounds.roundedUp("a" + last.repeat(16))).isEqualTo("b");
        assertThat(ColumnBounds.roundedUp(last.repeat(17))).isNull();
        assertThat(ColumnBounds.roundedUp("0123456789abcde\uD7FFx"))
                .isEqualTo("0123456789abcde\uE000");
    }

    @Test
    void binaryIsCutToSixteenBytes() {
        Type binary = Types.BinaryType.get();
        String exact = "00FF".repeat(8);

        assertThat(hex(ColumnBounds.lower(binary, Map.of("min", exact + "01"))))
                .isEqualTo("00ff".repeat(8));
        assertThat(hex(ColumnBounds.upper(binary, Map.of("max", exact))))
                .isEqualTo("00ff".repeat(8));
        assertThat(hex(ColumnBounds.upper(binary, Map.of("max", exact + "01"))))
                .isEqualTo("00ff".repeat(7) + "01");
        assertThat(ColumnBounds.upper(binary, Map.of("max", "FF".repeat(17)))).isNull();
    }

    private static void assertBounds(
            Type type, String min, String max, Object lower, Object upper) {
        assertThat(value(type, ColumnBounds.lower(type, Map.of("min", min)))).isEqualTo(lower);
        assertThat(value(type, ColumnBounds.upper(type, Map.of("max", max)))).isEqualTo(upper);
    }

    private static Object value(Type type, @Nullable ByteBuffer bytes) {
        Object value = Conversions.fromByteBuffer(type, Objects.requireNonNull(bytes));
        return value instanceof CharSequence text ? text.toString() : value;
    }

    private static String hex(@Nullable ByteBuffer bytes) {
        ByteBuffer given = Objects.requireNonNull(bytes);
        byte[] copy = new byte[given.remaining()];
        given.get(copy);
        return HexFormat.of().formatHex(copy);
    }
}
