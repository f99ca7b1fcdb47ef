package io.weir.app.console;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers and times for people; the same on every machine, whatever its locale and zone. */
public final class Texts {
    private static final DateTimeFormatter SECOND = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB"};
    private static final double UNIT = 1024;

    private Texts() {}

    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A number of things, such as {@code 1 row} or {@code 2,000 rows}. */
    public static String count(long number, String noun) {
        return count(number) + " " + noun + (number == 1 ? "" : "s");
    }

    public static String second(@Nullable Instant instant) {
        return instant == null ? "-" : SECOND.format(instant);
    }

    /** Units are powers of 1024, one decimal. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= UNIT && unit < UNITS.length - 1) {
            value /= UNIT;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
    }

    public static String duration(Duration duration) {
        double seconds = duration.toMillis() / 1000.0;
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        return String.format(
                Locale.ROOT, "%d min %02d s", duration.toMinutes(), duration.toSecondsPart());
    }
}
