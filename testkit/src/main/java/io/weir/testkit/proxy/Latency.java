package io.weir.testkit.proxy;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * How slow a line is. Every request and every reply is late by a duration that the seed decides:
 * the same for the same connection number, direction and place in it.
 *
 * @param least every delay is at least this
 * @param jitter how much more it can be
 * @param bytesPerSecond of each direction of each connection; 0: unbounded
 */
public record Latency(Duration least, Duration jitter, long bytesPerSecond, long seed) {
    static final Latency NONE = new Latency(Duration.ZERO, Duration.ZERO, 0, 0);

    public Latency {
        if (least.isNegative() || jitter.isNegative() || bytesPerSecond < 0) {
            throw new IllegalArgumentException("A line cannot be faster than at once");
        }
    }

    SplittableRandom randomOf(int connection, Direction direction) {
        return new SplittableRandom(
                seed * 31 + connection * 2L + (direction == Direction.UP ? 0 : 1));
    }

    Duration draw(SplittableRandom random) {
        return least.plusNanos(random.nextLong(jitter.toNanos() + 1));
    }

    Duration transfer(int bytes) {
        return bytesPerSecond == 0
                ? Duration.ZERO
                : Duration.ofNanos((long) (bytes * 1e9 / bytesPerSecond));
    }
}
