package io.weir.testkit.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;

/** A clock that somebody else moves. No two looks at it show the same time. */
public final class VirtualClock implements Supplier<Instant> {
    private Instant now;

    public VirtualClock(Instant start) {
        this.now = start;
    }

    /** The next microsecond. */
    @Override
    public Instant get() {
        now = now.plus(1, ChronoUnit.MICROS);
        return now;
    }

    /** The time of the last look. */
    public Instant time() {
        return now;
    }

    public void advance(Duration duration) {
        now = now.plus(duration);
    }

    /** Moves to a time unless it is past. */
    public void advanceTo(Instant time) {
        if (time.isAfter(now)) {
            now = time;
        }
    }
}
