package io.weir.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Wall time of a piece of work, and what stands for several of them. */
final class Clock {
    private static final double NANOS = 1e9;

    private Clock() {}

    interface Work {
        void run() throws Exception;
    }

    static double seconds(Work work) throws Exception {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / NANOS;
    }

    /** The upper one of an even number. */
    static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
