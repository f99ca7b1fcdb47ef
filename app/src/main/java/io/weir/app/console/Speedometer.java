package io.weir.app.console;

import io.weir.flow.load.PartitionProgress;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** Turns figures of now into speed and time left; the clock is the caller's, in nanoseconds. */
final class Speedometer {
    private static final double MEGABYTE = 1 << 20;
    private static final double NANOS = 1e9;
    // Less than this says nothing about speed.
    private static final double SECONDS_MIN = 0.1;
    private static final String ALL = "";

    private final LongSupplier nanos;
    private final Map<String, Long> started = new HashMap<>();

    Speedometer(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** One partition: {@code 120,000 rows  45.2 MB/s  ETA 3.0 s}. */
    String of(PartitionProgress partition) {
        return text(
                partition.id().value(),
                partition.rows(),
                partition.bytes(),
                partition.estimatedBytes(),
                partition.phase() == PartitionProgress.Phase.DONE);
    }

    /** All partitions together. */
    String of(List<PartitionProgress> partitions) {
        long rows = 0;
        long bytes = 0;
        long estimated = 0;
        boolean done = true;
        for (PartitionProgress partition : partitions) {
            boolean partitionDone = partition.phase() == PartitionProgress.Phase.DONE;
            rows += partition.rows();
            bytes += partition.bytes();
            estimated += partitionDone
                    ? partition.bytes()
                    : Math.max(partition.estimatedBytes(), partition.bytes());
            done &= partitionDone;
        }
        return text(ALL, rows, bytes, estimated, done);
    }

    private String text(String key, long rows, long bytes, long estimated, boolean done) {
        long now = nanos.getAsLong();
        // A partition that was never seen reading was read since the run began.
        long start = started.getOrDefault(key, started.getOrDefault(ALL, now));
        double seconds = (now - start) / NANOS;
        double speed = seconds >= SECONDS_MIN ? bytes / seconds : 0;
        String eta = "";
        if (!done && speed > 0) {
            long left = (long) (Math.max(0, estimated - bytes) / speed * 1000);
            eta = "  ETA " + Texts.duration(Duration.ofMillis(left));
        }
        return String.format(
                Locale.ROOT, "%s rows  %.1f MB/s%s", Texts.count(rows), speed / MEGABYTE, eta);
    }

    /** Forgets the partitions of the run before. */
    void reset() {
        started.clear();
        started.put(ALL, nanos.getAsLong());
    }

    /** A partition starts to count when it is first seen reading. */
    void see(List<PartitionProgress> partitions) {
        long now = nanos.getAsLong();
        for (PartitionProgress partition : partitions) {
            if (partition.phase() == PartitionProgress.Phase.READING) {
                started.putIfAbsent(partition.id().value(), now);
            }
        }
    }
}
