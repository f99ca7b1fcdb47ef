package io.weir.testkit.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What happened, in order: the last lines, or all, and a hash over all. */
final class Trace {
    private static final int LAST = 60;
    private static final long FNV_START = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final boolean whole;
    private final Deque<String> lines = new ArrayDeque<>();
    private long hash = FNV_START;
    private long count;

    Trace(boolean whole) {
        this.whole = whole;
    }

    void add(String line) {
        for (int i = 0; i < line.length(); i++) {
            hash = (hash ^ line.charAt(i)) * FNV_PRIME;
        }
        count++;
        lines.addLast(line);
        if (!whole && lines.size() > LAST) {
            lines.removeFirst();
        }
    }

    List<String> lines() {
        return new ArrayList<>(lines);
    }

    long hash() {
        return hash;
    }

    long count() {
        return count;
    }
}
