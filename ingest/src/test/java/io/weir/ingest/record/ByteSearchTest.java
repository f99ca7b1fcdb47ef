package io.weir.ingest.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/** Eight bytes are looked at together; each place must be found as if they were not. */
class ByteSearchTest {
    private static final int LENGTH_MAX = 40;
    private static final int ROUNDS = 20_000;
    private static final long SEED = 815;

    private static int naive(byte wanted, byte[] b, int from, int end) {
        int at = from;
        while (at < end && b[at] != wanted) {
            at++;
        }
        return at;
    }

    @Test
    void findsTheFirstOfMany() {
        Random random = new Random(SEED);
        byte[] b = new byte[LENGTH_MAX];
        // Neighbours of the wanted byte, and what a carry could be mistaken for.
        byte[] alphabet = {',', ',' - 1, ',' + 1, 0, 1, (byte) 0x80, (byte) 0xff, (byte) 0xac};
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < b.length; i++) {
                b[i] = alphabet[random.nextInt(alphabet.length)];
            }
            int from = random.nextInt(LENGTH_MAX);
            int end = from + random.nextInt(LENGTH_MAX - from + 1);
            byte wanted = alphabet[random.nextInt(alphabet.length)];
            assertThat(ByteSearch.find(wanted, b, from, end))
                    .as("%s in %s from %d to %d", wanted, Arrays.toString(b), from, end)
                    .isEqualTo(naive(wanted, b, from, end));
        }
    }

    @Test
    void findsAByteWhereverItIsAndNotBehindTheEnd() {
        for (int length = 0; length < LENGTH_MAX; length++) {
            byte[] b = new byte[LENGTH_MAX];
            b[length] = ';';
            assertThat(ByteSearch.find((byte) ';', b, 0, length)).isEqualTo(length);
            assertThat(ByteSearch.find((byte) ';', b, 0, LENGTH_MAX)).isEqualTo(length);
        }
    }
}
