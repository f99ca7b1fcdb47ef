package io.weir.testkit.simulation;

import io.weir.testkit.ledger.VirtualClock;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** What is going to happen, by time and then in the order in which it was planned. */
final class Timeline {
    private final VirtualClock clock;
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparing(Entry::at).thenComparingLong(Entry::order));
    private long order;
    private int deliveries;

    Timeline(VirtualClock clock) {
        this.clock = clock;
    }

    private record Entry(Instant at, long order, boolean delivery, Runnable action) {}

    Instant now() {
        return clock.time();
    }

    void after(Duration pause, Runnable action) {
        entries.add(new Entry(now().plus(pause), order++, false, action));
    }

    /** The same for something that is under way and arrives whatever becomes of its sender. */
    void deliver(Duration pause, Runnable action) {
        deliveries++;
        entries.add(new Entry(now().plus(pause), order++, true, action));
    }

    /** Whether nothing is under way. */
    boolean isQuiet() {
        return deliveries == 0;
    }

    /** Does the next thing unless it is later than a time; says whether it did. */
    boolean step(Instant until) {
        Entry next = entries.peek();
        if (next == null || next.at().isAfter(until)) {
            return false;
        }
        entries.remove();
        clock.advanceTo(next.at());
        if (next.delivery()) {
            deliveries--;
        }
        next.action().run();
        return true;
    }
}
