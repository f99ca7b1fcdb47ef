package io.weir.flow.load;

import io.weir.core.ledger.Progress;
import io.weir.core.run.PartitionId;
import io.weir.source.PartitionRows;

import org.jspecify.annotations.Nullable;

/** What the coordinator and the heartbeat see of a partition that a worker is reading. */
final class PartitionMeter implements Heartbeat.Worker {
    private final PartitionId id;
    private final long estimatedBytes;
    private volatile @Nullable PartitionRows rows;
    private volatile boolean stopped;
    private volatile boolean done;
    private volatile long doneRows;
    private volatile long doneBytes;

    PartitionMeter(PartitionId id, long estimatedBytes) {
        this.id = id;
        this.estimatedBytes = estimatedBytes;
    }

    void reading(PartitionRows partition) {
        rows = partition;
        if (stopped) {
            partition.stop();
        }
    }

    void finished(PartitionRows partition) {
        doneRows = partition.rowsRead();
        doneBytes = partition.bytesRead();
        done = true;
        rows = null;
    }

    /** Makes the reading thread fail at its next batch. */
    void stop() {
        stopped = true;
        PartitionRows reading = rows;
        if (reading != null) {
            reading.stop();
        }
    }

    PartitionProgress read() {
        PartitionRows reading = rows;
        if (reading != null) {
            return new PartitionProgress(
                    id,
                    PartitionProgress.Phase.READING,
                    reading.rowsRead(),
                    reading.bytesRead(),
                    estimatedBytes);
        }
        PartitionProgress.Phase phase =
                done ? PartitionProgress.Phase.DONE : PartitionProgress.Phase.WAITING;
        return new PartitionProgress(id, phase, doneRows, doneBytes, estimatedBytes);
    }

    @Override
    public Progress progress() {
        PartitionProgress now = read();
        return new Progress(now.rows(), now.bytes());
    }

    @Override
    public void lost() {
        stop();
    }
}
