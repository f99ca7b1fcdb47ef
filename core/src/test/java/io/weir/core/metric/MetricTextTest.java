package io.weir.core.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;

class MetricTextTest {
    private static final long SEED = 99;

    @Test
    void exactNumbersArePlainAndShort() {
        assertThat(MetricText.number("0.00")).isEqualTo("0");
        assertThat(MetricText.number("-0")).isEqualTo("0");
        assertThat(MetricText.number("1.20")).isEqualTo("1.2");
        assertThat(MetricText.number("100")).isEqualTo("100");
        assertThat(MetricText.number("1E+3")).isEqualTo("1000");
        assertThat(MetricText.number("-12345678901234567890123456789.10"))
                .isEqualTo("-12345678901234567890123456789.1");
        assertThat(MetricText.number(null)).isNull();
    }

    @Test
    void equalNumbersHaveOneText() {
        Random random = new Random(SEED);
        for (int i = 0; i < 5_000; i++) {
            BigDecimal number = new BigDecimal(new BigInteger(100, random), random.nextInt(30));
            String text = MetricText.number(number.toPlainString());
            String padded = number.setScale(number.scale() + random.nextInt(9)).toPlainString();
            assertThat(MetricText.number(padded))
                    .as("seed %d, %s", SEED, number)
                    .isEqualTo(text);
            assertThat(new BigDecimal(String.valueOf(text))).isEqualByComparingTo(number);
        }
    }

    @Test
    void refusesTextThatIsNoNumber() {
        assertThatThrownBy(() -> MetricText.number("NaN"))
                .isInstanceOf(NumberFormatException.class);
    }

    @Test
    void floatingNumbersKeepEveryBitButTheSignOfZero() {
        assertThat(MetricText.floating(0.1)).isEqualTo("0.1");
        assertThat(MetricText.floating(0.1f)).isEqualTo("0.10000000149011612");
        assertThat(MetricText.floating(1e300)).isEqualTo("1.0E300");
        assertThat(MetricText.floating(-0.0)).isEqualTo("0.0").isEqualTo(MetricText.floating(0.0));
        assertThat(MetricText.floating(Double.NaN)).isEqualTo("NaN");
        assertThat(MetricText.floating(Double.NEGATIVE_INFINITY)).isEqualTo("-Infinity");
    }
}
