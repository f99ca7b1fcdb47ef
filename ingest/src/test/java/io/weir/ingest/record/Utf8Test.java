package io.weir.ingest.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

/** Many bytes are looked at together; each place of a text must count as if they were not. */
class Utf8Test {
    private static final int LENGTH_MAX = 80;

    private static int characters(String text) {
        byte[] bytes = ("##" + text + "é").getBytes(StandardCharsets.UTF_8);
        return Utf8.characters(bytes, 2, bytes.length - 4);
    }

    @Test
    void everyCharacterCountsOnceWhereverItIs() {
        for (int length = 0; length < LENGTH_MAX; length++) {
            assertThat(characters("a".repeat(length))).isEqualTo(length);
            for (int at = 0; at <= length; at++) {
                for (String one : new String[] {"é", "€", "😀"}) {
                    String text = "a".repeat(at) + one + "b".repeat(length - at);
                    assertThat(characters(text)).isEqualTo(length + 1);
                }
            }
        }
    }

    @Test
    void aByteThatBeginsNoCharacterIsFoundWhereverItIs() {
        for (int length = 1; length < LENGTH_MAX; length++) {
            for (int at = 0; at < length; at++) {
                byte[] bytes = "a".repeat(length).getBytes(StandardCharsets.UTF_8);
                bytes[at] = (byte) 0x80;
                assertThat(Utf8.characters(bytes, 0, length)).isEqualTo(-1);
            }
        }
    }
}
