package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.row.Column;
import io.weir.core.row.LossPolicy;

import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;

/** Numerics that no server of today sends in a column with precision, and the wire form itself. */
class WireGuardTest {
    private static WireGuard numeric(int precision, int scale) {
        Types.DecimalType type = Types.DecimalType.of(precision, scale);
        return Objects.requireNonNull(WireGuard.of(
                WireType.NUMERIC, new Column(1, "n", "numeric", type, false, LossPolicy.CLAMP)));
    }

    @ParameterizedTest
    @CsvSource({
        "6, 2, 9999.99",
        "38, 37, 9.9999999999999999999999999999999999999",
        "7, 0, 9999999",
        "5, 5, 0.99999",
        "38, 0, 99999999999999999999999999999999999999",
    })
    void clampsInfinitiesToTheExtremes(int precision, int scale, String max) {
        WireGuard guard = numeric(precision, scale);
        byte[] plus = HexFormat.of().parseHex("00000000d0000020");
        byte[] minus = HexFormat.of().parseHex("00000000f0000020");

        assertThat(guard.holds(plus, 0)).isFalse();
        assertThat(guard.holds(minus, 0)).isFalse();
        assertThat(text(guard.nearest(plus, 0))).isEqualTo(max);
        assertThat(text(guard.nearest(minus, 0))).isEqualTo("-" + max);
    }

    private static String text(byte @Nullable [] wire) {
        return WireText.of(WireType.NUMERIC, Objects.requireNonNull(wire), 0, wire.length);
    }

    @Test
    void knowsNothingNearNan() {
        byte[] nan = HexFormat.of().parseHex("00000000c0000000");
        assertThat(numeric(6, 2).holds(nan, 0)).isFalse();
        assertThat(numeric(6, 2).nearest(nan, 0)).isNull();
    }

    @Test
    void writesNumericsThatReadAsThemselves() {
        Random random = new Random(11);
        for (int round = 0; round < 10_000; round++) {
            BigInteger unscaled = new BigInteger(random.nextInt(127), random);
            BigDecimal value = new BigDecimal(
                    random.nextBoolean() ? unscaled.negate() : unscaled, random.nextInt(39));
            byte[] wire = WireNumeric.encode(value.unscaledValue(), value.scale());

            assertThat(new BigDecimal(WireNumeric.digits(wire, 0), WireNumeric.scale(wire, 0)))
                    .isEqualByComparingTo(value);
            assertThat(WireText.of(WireType.NUMERIC, wire, 0, wire.length))
                    .isEqualTo(value.toPlainString());
        }
    }
}
