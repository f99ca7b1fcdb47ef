package io.weir.testkit.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** The only source of chance of a simulation. */
final class Randomness {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final Random random;

    Randomness(long seed) {
        // Seeds that follow each other would begin alike.
        long mixed = (seed + 1) * GOLDEN;
        this.random = new Random(mixed ^ (mixed >>> 29));
    }

    boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Both ends included. */
    int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    double fraction() {
        return random.nextDouble();
    }

    /** Uniform, in microseconds. */
    Duration between(Duration least, Duration most) {
        long micros = most.minus(least).toNanos() / 1000;
        return least.plusNanos(1000L * (long) (random.nextDouble() * micros));
    }

    Duration millis(int least, int most) {
        return between(Duration.ofMillis(least), Duration.ofMillis(most));
    }

    Duration seconds(int least, int most) {
        return between(Duration.ofSeconds(least), Duration.ofSeconds(most));
    }

    <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
