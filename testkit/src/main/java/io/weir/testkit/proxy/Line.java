package io.weir.testkit.proxy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the line is like now, for all connections. Whoever waits on it wakes when it changes. */
final class Line {
    private final Set<Direction> holes = EnumSet.noneOf(Direction.class);
    private final Map<Direction, Long> budgets = new EnumMap<>(Direction.class);
    private final Map<Integer, List<Duration>> delays = new TreeMap<>();
    private Latency latency = Latency.NONE;
    private Duration closingDelay = Duration.ZERO;
    private Ending ending = Ending.CLOSE;
    private long version;

    synchronized void mend() {
        holes.clear();
        budgets.clear();
        latency = Latency.NONE;
        closingDelay = Duration.ZERO;
        changed();
    }

    synchronized void changed() {
        version++;
        notifyAll();
    }

    synchronized void blackHole(Direction direction) {
        holes.add(direction);
        changed();
    }

    synchronized boolean isBlackHole(Direction direction) {
        return holes.contains(direction);
    }

    synchronized void setLatency(Latency value) {
        latency = value;
        delays.clear();
        changed();
    }

    synchronized Latency latency() {
        return latency;
    }

    synchronized void setClosingDelay(Duration delay) {
        closingDelay = delay;
    }

    synchronized Duration closingDelay() {
        return closingDelay;
    }

    synchronized void setEnding(Ending value) {
        ending = value;
    }

    synchronized Ending ending() {
        return ending;
    }

    synchronized void cutAfterBytes(Direction direction, long bytes) {
        budgets.put(direction, bytes);
    }

    /** How many of these bytes may still pass; fewer than asked for: then comes the cut. */
    synchronized int allowed(Direction direction, int wanted) {
        @Nullable Long budget = budgets.get(direction);
        if (budget == null) {
            return wanted;
        }
        if (budget < wanted) {
            budgets.remove(direction);
            return budget.intValue();
        }
        budgets.put(direction, budget - wanted);
        return wanted;
    }

    /** Keeps delays apart by connection and direction, whose threads run as they like. */
    synchronized void noteDelay(int connection, Direction direction, Duration delay) {
        int key = 2 * connection + (direction == Direction.UP ? 0 : 1);
        delays.computeIfAbsent(key, unused -> new ArrayList<>()).add(delay);
    }

    synchronized List<Duration> delays() {
        return delays.values().stream().flatMap(List::stream).toList();
    }

    /** Waits for a time, or until the line changes. */
    synchronized void pause(Duration time) throws InterruptedException {
        long seen = version;
        long deadline = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0 && seen == version; ) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
            left = deadline - System.nanoTime();
        }
    }
}
