package io.weir.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.Random;

class WideSumTest {
    @Test
    void addsLikeNumbersWithoutLimit() {
        Random random = new Random(3);
        WideSum sum = new WideSum();
        WideSum other = new WideSum();
        BigInteger expected = BigInteger.ZERO;
        for (int i = 0; i < 100_000; i++) {
            BigInteger value = new BigInteger(random.nextInt(128), random);
            BigInteger signed = random.nextBoolean() ? value : value.negate();
            long high = signed.shiftRight(64).longValue();
            (i % 2 == 0 ? sum : other).add(high, signed.longValue());
            expected = expected.add(signed);
            long small = random.nextLong();
            sum.add(small);
            expected = expected.add(BigInteger.valueOf(small));
        }

        sum.add(other);

        assertThat(sum.value()).isEqualTo(expected);
    }

    @Test
    void carriesThroughBothHalves() {
        BigInteger most = BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);
        WideSum sum = new WideSum();
        for (int i = 0; i < 4; i++) {
            sum.add(Long.MAX_VALUE, -1);
        }
        assertThat(sum.value()).isEqualTo(most.multiply(BigInteger.valueOf(4)));

        for (int i = 0; i < 8; i++) {
            sum.add(Long.MIN_VALUE, 0);
        }
        assertThat(sum.value())
                .isEqualTo(most.multiply(BigInteger.valueOf(4))
                        .subtract(BigInteger.ONE.shiftLeft(130)));
    }
}
