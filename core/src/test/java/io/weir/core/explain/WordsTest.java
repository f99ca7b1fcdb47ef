package io.weir.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

class WordsTest {
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "59, 59 s",
        "60, 1 min",
        "119, 1 min",
        "3599, 59 min",
        "3600, 1 h",
        "7500, 2 h 5 min",
        "86399, 23 h 59 min",
        "86400, 1 d",
        "190800, 2 d 5 h"
    })
    void durationsHaveTwoUnitsAtMost(long seconds, String text) {
        assertThat(Words.duration(Duration.ofSeconds(seconds))).isEqualTo(text);
    }

    @Test
    void timesAreRelative() {
        assertThat(Words.relative(NOW.minusSeconds(240), NOW)).isEqualTo("4 min ago");
        assertThat(Words.relative(NOW.plusSeconds(50), NOW)).isEqualTo("in 50 s");
        assertThat(Words.relative(NOW.plusMillis(900), NOW)).isEqualTo("now");
        assertThat(Words.ago(NOW.minusMillis(900), NOW)).isEqualTo("just now");
        assertThat(Words.ago(NOW.plusSeconds(1), NOW)).isEqualTo("just now");
        assertThat(Words.ago(NOW.minusSeconds(1), NOW)).isEqualTo("1 s ago");
    }

    @Test
    void countsHaveTheirNoun() {
        assertThat(Words.partitions(1)).isEqualTo("1 partition");
        assertThat(Words.partitions(1_200)).isEqualTo("1,200 partitions");
        assertThat(Words.partitions(1, 8)).isEqualTo("1 of 8 partitions");
        assertThat(Words.partitions(1, 1)).isEqualTo("1 of 1 partition");
    }

    @Test
    void namesThatAreManyAreCounted() {
        assertThat(Words.some(List.of("a", "b", "c"))).isEqualTo("a, b, c");
        assertThat(Words.some(List.of("a", "b", "c", "d", "e"))).isEqualTo("a, b, c and 2 more");
    }

    @Test
    void quotationsFitIntoASentence() {
        assertThat(Words.quote(" Cannot read:\n\t no luck. ")).isEqualTo("Cannot read: no luck");
        assertThat(Words.quote("🌊".repeat(200))).isEqualTo("🌊".repeat(200));
        assertThat(Words.quote("🌊".repeat(201))).isEqualTo("🌊".repeat(199) + "…");
    }
}
