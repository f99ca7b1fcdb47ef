package io.weir.ledger.outside;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/** What counts as a path, next to the definition by a pattern. */
class OutsidePathsTest {
    private static final String CHARACTERS = "//..aZ09_=- %\0é";
    private static final int PATHS = 200_000;
    private static final int LENGTH = 9;

    @Test
    void aPathIsPlainAsItsDefinitionSays() {
        Random chance = new Random(1);
        int plain = 0;
        for (int i = 0; i < PATHS; i++) {
            StringBuilder path = new StringBuilder(chance.nextBoolean() ? "/" : "");
            int length = chance.nextInt(LENGTH);
            for (int j = 0; j < length; j++) {
                path.append(CHARACTERS.charAt(chance.nextInt(CHARACTERS.length())));
            }
            String text = path.toString();
            assertThat(OutsidePaths.isPlain(text)).as(text).isEqualTo(isPlain(text));
            plain += isPlain(text) ? 1 : 0;
        }
        assertThat(plain).isBetween(PATHS / 100, PATHS / 2);
        assertThat(OutsidePaths.isPlain("/" + "a".repeat(1499))).isTrue();
        assertThat(OutsidePaths.isPlain("/" + "a".repeat(1500))).isFalse();
    }

    /** Absolute, of plain characters, without empty, {@code .} or {@code ..} segments. */
    private static boolean isPlain(String path) {
        String bare = path.replaceFirst("/+$", "");
        return path.matches("/[A-Za-z0-9_.=/-]*")
                && !bare.isEmpty()
                && Arrays.stream(bare.substring(1).split("/", -1))
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }
}
