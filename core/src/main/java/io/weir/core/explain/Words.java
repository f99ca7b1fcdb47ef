package io.weir.core.explain;

import io.weir.core.run.Run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Durations, counts and quotations as sentences need them; the same in every locale. */
final class Words {
    private static final int QUOTE_MAX = 200;
    private static final int NAMED_MAX = 3;

    private Words() {}

    /** Two units at most, cut, not rounded: {@code 59 s}, {@code 4 min}, {@code 2 h 5 min}. */
    static String duration(Duration duration) {
        long seconds = duration.abs().toSeconds();
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + " min";
        }
        if (seconds < 86_400) {
            return pair(seconds / 3_600, "h", seconds % 3_600 / 60, "min");
        }
        return pair(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h");
    }

    private static String pair(long first, String unit, long second, String smaller) {
        return first + " " + unit + (second == 0 ? "" : " " + second + " " + smaller);
    }

    /** {@code 4 min ago}, {@code in 50 s}, {@code now}. */
    static String relative(Instant at, Instant now) {
        Duration distance = Duration.between(now, at);
        if (distance.abs().toSeconds() == 0) {
            return "now";
        }
        return distance.isNegative() ? duration(distance) + " ago" : "in " + duration(distance);
    }

    /** A time that is over: {@code 4 min ago}, {@code just now}. */
    static String ago(Instant at, Instant now) {
        return Duration.between(at, now).toSeconds() <= 0 ? "just now" : relative(at, now);
    }

    static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** {@code 1 partition}, {@code 1,200 partitions}. */
    static String count(long value, String one, String many) {
        return number(value) + " " + (value == 1 ? one : many);
    }

    static String partitions(long value) {
        return count(value, "partition", "partitions");
    }

    /** {@code 4 of 8 partitions}: the noun follows the whole. */
    static String partitions(long part, long whole) {
        return number(part) + " of " + partitions(whole);
    }

    /** {@code 0003, 0007, 0009 and 5 more}. */
    static String some(List<String> names) {
        if (names.size() <= NAMED_MAX) {
            return String.join(", ", names);
        }
        return String.join(", ", names.subList(0, NAMED_MAX)) + " and "
                + number(names.size() - NAMED_MAX) + " more";
    }

    /** The words of somebody else within a sentence: one line, not too long, no full stop. */
    static String quote(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        if (line.codePointCount(0, line.length()) > QUOTE_MAX) {
            return line.substring(0, line.offsetByCodePoints(0, QUOTE_MAX - 1)) + "…";
        }
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }

    /** {@code run 0190… (lake.orders)}. */
    static String named(Run run) {
        return "run " + run.id() + " (" + run.target() + ")";
    }
}
