package io.weir.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.Random;

class BalanceTest {
    private static final BigInteger MODULUS = BigInteger.TWO.pow(128);
    private static final long SEED = 20_261_129;
    private static final int CASES = 2_000;

    @Test
    void carriesFromTheLowHalfIntoTheHighHalf() {
        Balance sum = new Balance(1, 0, -1L).plus(new Balance(1, 0, 1));
        assertThat(sum).isEqualTo(new Balance(2, 1, 0));
    }

    @Test
    void dropsTheCarryOutOfTheHighHalf() {
        Balance sum = new Balance(1, -1L, -1L).plus(new Balance(1, 0, 2));
        assertThat(sum).isEqualTo(new Balance(2, 0, 1));
    }

    @Test
    void borrowsFromTheHighHalf() {
        Balance difference = new Balance(3, 1, 0).minus(new Balance(1, 0, 1));
        assertThat(difference).isEqualTo(new Balance(2, 0, -1L));
    }

    @Test
    void wrapsBelowZero() {
        Balance difference = Balance.ZERO.minus(new Balance(1, 0, 1));
        assertThat(difference).isEqualTo(new Balance(-1, -1L, -1L));
        assertThat(difference.digestSum()).isEqualTo(MODULUS.subtract(BigInteger.ONE));
    }

    @Test
    void agreesWithBigIntegersModuloTwoToThe128() {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            Balance a = any(random);
            Balance b = any(random);
            assertThat(a.plus(b).digestSum())
                    .isEqualTo(a.digestSum().add(b.digestSum()).mod(MODULUS));
            assertThat(a.minus(b).digestSum())
                    .isEqualTo(a.digestSum().subtract(b.digestSum()).mod(MODULUS));
            assertThat(a.plus(b).rows()).isEqualTo(a.rows() + b.rows());
            assertThat(a.minus(b).rows()).isEqualTo(a.rows() - b.rows());
        }
    }

    @Test
    void addsInAnyOrderAndGrouping() {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            Balance a = any(random);
            Balance b = any(random);
            Balance c = any(random);
            assertThat(a.plus(b).plus(c)).isEqualTo(a.plus(b.plus(c)));
            assertThat(a.plus(b)).isEqualTo(b.plus(a));
            assertThat(a.plus(b).minus(b)).isEqualTo(a);
            assertThat(a.plus(Balance.ZERO)).isEqualTo(a);
        }
    }

    @Test
    void readsBackItsText() {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            Balance balance = any(random);
            assertThat(Balance.of(balance.rows(), balance.digestText())).isEqualTo(balance);
            assertThat(Balance.of(balance.rows(), balance.digestSum())).isEqualTo(balance);
            assertThat(balance.digestText()).hasSize(32);
        }
    }

    @Test
    void writesRowsThenThirtyTwoDigits() {
        assertThat(new Balance(7, 0x00ab_cdef_0000_0001L, -1L))
                .hasToString("7:00abcdef00000001ffffffffffffffff");
        assertThat(Balance.ZERO).hasToString("0:00000000000000000000000000000000");
    }

    @Test
    void takesNumbersModuloTwoToThe128() {
        assertThat(Balance.of(1, MODULUS.add(BigInteger.TEN))).isEqualTo(new Balance(1, 0, 10));
        assertThat(Balance.of(1, BigInteger.valueOf(-1))).isEqualTo(new Balance(1, -1L, -1L));
        assertThat(Balance.of(1, BigInteger.TWO.pow(64))).isEqualTo(new Balance(1, 1, 0));
    }

    @Test
    void refusesTextThatIsNoDigestSum() {
        assertThatThrownBy(() -> Balance.of(1, "12"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Invalid digest sum 12: 32 hexadecimal digits");
        assertThatThrownBy(() -> Balance.of(1, "g".repeat(32)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Balance.of(1, "-" + "0".repeat(31)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesMoreRowsThanCanBeCounted() {
        Balance most = new Balance(Long.MAX_VALUE, 0, 0);
        assertThatThrownBy(() -> most.plus(new Balance(1, 0, 0)))
                .isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> new Balance(Long.MIN_VALUE, 0, 0).minus(new Balance(1, 0, 0)))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void sumEqualsTheSumOfSingleRows() {
        Random random = new Random(SEED);
        BalanceSum sum = new BalanceSum();
        Balance expected = Balance.ZERO;
        for (int i = 0; i < CASES; i++) {
            Balance row = new Balance(1, random.nextLong() & Long.MAX_VALUE, random.nextLong());
            sum.add(row.high(), row.low());
            expected = expected.plus(row);
            assertThat(sum.balance()).isEqualTo(expected);
        }
    }

    @Test
    void sumStartsAgainAfterReset() {
        BalanceSum sum = new BalanceSum();
        sum.add(5, 6);
        sum.reset();
        assertThat(sum.balance()).isEqualTo(Balance.ZERO);
        sum.add(1, 2);
        assertThat(sum.balance()).isEqualTo(new Balance(1, 1, 2));
    }

    private static Balance any(Random random) {
        return new Balance(random.nextInt(), edge(random), edge(random));
    }

    /** Every fourth number is one at which carries begin. */
    private static long edge(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> -1L;
            default -> random.nextLong();
        };
    }
}
