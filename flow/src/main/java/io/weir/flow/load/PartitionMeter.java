package io.weir.flow.load;

import io.weir.core.ledger.Progress;
import io.weir.core.run.PartitionId;
import io.weir.source.PartitionRows;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What the coordinator sees of a partition. It is read once for each claim; the newest one counts,
 * though an older one may still be at work and not know yet that it is lost.
 */
final class PartitionMeter {
    private final PartitionId id;
    private final long estimatedBytes;
    private final List<Reading> readings = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    PartitionMeter(PartitionId id, long estimatedBytes) {
        this.id = id;
        this.estimatedBytes = estimatedBytes;
    }

    /** A claim begins to read the partition. */
    Reading begin() {
        Reading reading = new Reading();
        readings.add(reading);
        if (stopped) {
            reading.stop();
        }
        return reading;
    }

    /** Makes every reading thread fail at its next batch. */
    void stop() {
        stopped = true;
        readings.forEach(Reading::stop);
    }

    PartitionProgress read() {
        PartitionProgress progress = waiting();
        for (Reading reading : readings) {
            progress = reading.read();
        }
        return progress;
    }

    private PartitionProgress waiting() {
        return new PartitionProgress(id, PartitionProgress.Phase.WAITING, 0, 0, estimatedBytes);
    }

    /** One claim at work, as its heartbeat sees it. */
    final class Reading implements Heartbeat.Worker {
        private volatile @Nullable PartitionRows rows;
        private volatile @Nullable PartitionProgress done;
        private volatile boolean halted;
        private volatile boolean lost;

        private Reading() {}

        void reading(PartitionRows partition) {
            rows = partition;
            if (halted) {
                partition.stop();
            }
        }

        void finished(PartitionRows partition) {
            done = progressOf(PartitionProgress.Phase.DONE, partition);
            rows = null;
        }

        @Override
        public Progress progress() {
            PartitionProgress now = read();
            return new Progress(now.rows(), now.bytes());
        }

        @Override
        public void lost() {
            lost = true;
            stop();
        }

        /** Whether the partition has another owner: how this reading ends means nothing. */
        boolean isLost() {
            return lost;
        }

        private void stop() {
            halted = true;
            PartitionRows reading = rows;
            if (reading != null) {
                reading.stop();
            }
        }

        private PartitionProgress read() {
            PartitionProgress end = done;
            PartitionRows reading = rows;
            if (end != null) {
                return end;
            }
            return reading == null
                    ? waiting()
                    : progressOf(PartitionProgress.Phase.READING, reading);
        }

        private PartitionProgress progressOf(
                PartitionProgress.Phase phase, PartitionRows partition) {
            return new PartitionProgress(
                    id, phase, partition.rowsRead(), partition.bytesRead(), estimatedBytes);
        }
    }
}
