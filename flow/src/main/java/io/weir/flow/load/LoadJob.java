package io.weir.flow.load;

import io.weir.core.metric.MetricPlan;
import io.weir.core.publish.PublishMode;
import io.weir.core.run.RecoveryMode;
import io.weir.source.SplitOptions;
import io.weir.source.TableSpec;

import java.time.Duration;

/**
 * What a job loads, and how.
 *
 * @param name of the job
 * @param source name of the source
 * @param target {@code namespace.table} in the lake
 * @param allowEmpty whether a source without rows may be published
 * @param partitionBytes most source bytes for each partition, about
 * @param chunkBytes size of a file in the lake, about
 * @param recovery what happens to a partition whose worker is lost
 * @param timeout how long a run may take until it is published
 */
public record LoadJob(
        String name,
        String source,
        TableSpec table,
        String target,
        PublishMode publish,
        MetricPlan.Verify verify,
        boolean allowEmpty,
        long partitionBytes,
        long chunkBytes,
        RecoveryMode recovery,
        Duration timeout) {
    public static final Duration TIMEOUT_DEFAULT = Duration.ofHours(6);
    public static final long PARTITION_BYTES_DEFAULT = 512L << 20;
    public static final long CHUNK_BYTES_DEFAULT = 256L << 20;

    private static final long PARTITION_BYTES_MIN = 32L << 20;
    private static final int PARTITIONS_MAX = 1_000;
    private static final int PARTITIONS_PER_WORKER = 2;

    /**
     * How the table is cut: every worker gets some partitions, so that none waits long for the
     * last, unless partitions would become small.
     */
    SplitOptions splitOptions(long estimatedBytes, int workers) {
        long share = estimatedBytes / ((long) workers * PARTITIONS_PER_WORKER);
        long bytes = Math.min(partitionBytes, Math.max(PARTITION_BYTES_MIN, share));
        return new SplitOptions(bytes, PARTITIONS_MAX);
    }
}
