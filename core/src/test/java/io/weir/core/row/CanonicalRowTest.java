package io.weir.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;

/** The layout of each form; whole rows are compared with the test vectors in the testkit. */
class CanonicalRowTest {
    private static final long SEED = 4_711;

    private final CanonicalRow row = new CanonicalRow();

    @Test
    void writesIdTagLengthValueBigEndian() {
        row.putLong(0x01020304, CanonicalType.INTEGER, 0x1112131415161718L);
        assertThat(hex()).isEqualTo("01020304" + "02" + "00000008" + "1112131415161718");
    }

    @Test
    void writesFieldsWithoutAnythingBetween() {
        row.putBoolean(1, true);
        row.putBoolean(2, false);
        row.putNull(7);
        row.putUuid(9, 0x8000000000000001L, 2);
        assertThat(hex())
                .isEqualTo("000000010100000001" + "01" + "000000020100000001" + "00"
                        + "000000070000000000" + "000000090b00000010"
                        + "80000000000000010000000000000002");
    }

    @Test
    void refusesFieldIdsThatDoNotAscend() {
        row.putBoolean(5, true);
        assertThatThrownBy(() -> row.putBoolean(5, true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Field 5 comes after 5");
        assertThatThrownBy(() -> row.putNull(4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Field 4 comes after 5");
    }

    @Test
    void refusesFieldIdZero() {
        assertThatThrownBy(() -> row.putNull(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Field 0 comes after 0");
    }

    /** Only the very field counts, not what happens to end with the same bytes. */
    @Test
    void takesAFieldBackThatHoldsTheInitialDefault() {
        Column grade = new Column(
                5, "grade", "integer", Types.IntegerType.get(), false, LossPolicy.FAIL, 11);
        byte[] initial = Objects.requireNonNull(grade.initialDefaultBytes());
        row.putBytes(4, CanonicalType.BINARY, initial, 0, initial.length);
        row.takeBack(initial);
        int before = row.length();
        row.putLong(5, CanonicalType.INTEGER, 11);
        row.takeBack(initial);
        assertThat(row.length()).isEqualTo(before).isEqualTo(9 + initial.length);
        row.reset();
        row.putLong(5, CanonicalType.INTEGER, 12);
        row.takeBack(initial);
        assertThat(hex()).isEqualTo("00000005" + "02" + "00000008" + "000000000000000c");
    }

    /** As if it stood alone, whatever is before, in the same array or in a larger one. */
    @Test
    void standsInAnArrayOfTheCaller() {
        RowDigest alone = new RowDigest();
        row.putLong(3, CanonicalType.INTEGER, 12);
        alone.compute(row);
        byte[] bytes = row.bytes();
        for (int spare : new int[] {0, bytes.length - 1, bytes.length, 100}) {
            byte[] before = {1, 2, 3, 4, 5};
            byte[] into = Arrays.copyOf(before, before.length + spare);
            CanonicalRow placed = new CanonicalRow();
            placed.resetInto(into, before.length);
            placed.putBoolean(2, true);
            placed.takeBack(new byte[] {0, 0, 0, 2, 1, 0, 0, 0, 1, 1});
            placed.putLong(3, CanonicalType.INTEGER, 12);
            RowDigest digest = new RowDigest();
            digest.compute(placed);

            assertThat(placed.bytes()).isEqualTo(bytes);
            assertThat(placed.length()).isEqualTo(bytes.length);
            assertThat(placed.start()).isEqualTo(before.length);
            assertThat(digest.high()).isEqualTo(alone.high());
            assertThat(digest.low()).isEqualTo(alone.low());
            assertThat(placed.buffer()).startsWith(before);
            assertThat(placed.buffer() == into).isEqualTo(spare >= bytes.length);
        }
    }

    @Test
    void beginsAnewAfterReset() {
        row.putBoolean(5, true);
        row.reset();
        assertThat(row.length()).isZero();
        row.putBoolean(1, false);
        assertThat(hex()).isEqualTo("00000001010000000100");
    }

    @Test
    void keepsWhatIsWrittenWhenItGrows() {
        byte[] text = "0123456789".repeat(1_000).getBytes(UTF_8);
        row.putLong(1, CanonicalType.DATE, -1);
        row.putBytes(2, CanonicalType.TEXT, text, 0, text.length);
        row.putBytes(3, CanonicalType.BINARY, text, 10, 5_000);
        assertThat(row.length()).isEqualTo(17 + 9 + 10_000 + 9 + 5_000);
        assertThat(hex()).startsWith("000000010700000008ffffffffffffffff");
        assertThat(new String(row.buffer(), 26, 10_000, UTF_8))
                .isEqualTo("0123456789".repeat(1_000));
        assertThat(new String(row.buffer(), 10_035, 5_000, UTF_8))
                .isEqualTo("0123456789".repeat(500));
    }

    @Test
    void cutsBlanksFromPaddedTextOnly() {
        byte[] text = "xx ab  \t  yy".getBytes(UTF_8);
        row.putBytes(1, CanonicalType.PADDED_TEXT, text, 3, 4);
        row.putBytes(2, CanonicalType.PADDED_TEXT, text, 3, 5);
        row.putBytes(3, CanonicalType.TEXT, text, 3, 4);
        row.putBytes(4, CanonicalType.PADDED_TEXT, text, 8, 2);
        assertThat(hex())
                .isEqualTo("000000010500000002" + "6162" + "000000020500000005" + "6162202009"
                        + "000000030500000004" + "61622020" + "000000040500000000");
    }

    @Test
    void writesOneNanAndBothZeros() {
        row.putFloating(1, Double.longBitsToDouble(0xfff8000000000123L));
        row.putFloating(2, -0.0);
        row.putFloating(3, 0.0);
        row.putFloating(4, Float.intBitsToFloat(0xffc00001));
        assertThat(hex())
                .isEqualTo("000000010300000008" + "7ff8000000000000" + "000000020300000008"
                        + "8000000000000000" + "000000030300000008" + "0000000000000000"
                        + "000000040300000008" + "7ff8000000000000");
    }

    @Test
    void writesDecimalsByValue() {
        assertThat(decimal("0.00")).isEqualTo("00000000" + "00");
        assertThat(decimal("1.20")).isEqualTo("00000001" + "0c").isEqualTo(decimal("1.2"));
        assertThat(decimal("-1.2")).isEqualTo("00000001" + "f4");
        assertThat(decimal("100")).isEqualTo("fffffffe" + "01");
        assertThat(decimal("1.28")).isEqualTo("00000002" + "0080");
        assertThat(decimal("-128")).isEqualTo("00000000" + "80");
        assertThat(decimal("-9223372036854775808")).isEqualTo("00000000" + "8000000000000000");
        assertThat(decimal("9223372036854775808")).isEqualTo("00000000" + "008000000000000000");
    }

    @Test
    void bothDecimalFormsWriteTheSame() {
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            long unscaled = random.nextLong() >> random.nextInt(Long.SIZE);
            int zeros = random.nextInt(4);
            int scale = random.nextInt(38);
            row.reset();
            row.putDecimal(1, unscaled, scale);
            String fromLong = hex();
            row.reset();
            // More digits of zero force the wide form into numbers that the narrow one writes.
            BigInteger wide = BigInteger.valueOf(unscaled).multiply(BigInteger.TEN.pow(zeros + 18));
            row.putDecimal(1, wide, scale + zeros + 18);
            assertThat(hex()).as("seed %d, %d e-%d", SEED, unscaled, scale).isEqualTo(fromLong);
        }
    }

    @Test
    void decimalsAreEqualExactlyWhenTheNumbersAre() {
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            BigDecimal number = new BigDecimal(new BigInteger(126, random), random.nextInt(38))
                    .multiply(random.nextBoolean() ? BigDecimal.ONE : BigDecimal.TEN.negate());
            String bytes = decimalOf(number.unscaledValue(), number.scale());
            BigDecimal stripped =
                    number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
            HexFormat format = HexFormat.of();
            assertThat(bytes)
                    .as("seed %d, %s", SEED, number)
                    .isEqualTo(format.toHexDigits(stripped.scale())
                            + format.formatHex(stripped.unscaledValue().toByteArray()));
        }
    }

    private String decimal(String number) {
        BigDecimal value = new BigDecimal(number);
        return decimalOf(value.unscaledValue(), value.scale());
    }

    /** The value bytes of one decimal field. */
    private String decimalOf(BigInteger unscaled, int scale) {
        row.reset();
        row.putDecimal(1, unscaled, scale);
        String field = hex();
        assertThat(field).startsWith("0000000104");
        return field.substring(18);
    }

    private String hex() {
        return HexFormat.of().formatHex(row.buffer(), 0, row.length());
    }
}
