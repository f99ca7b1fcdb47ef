package io.weir.flow.load;

import io.weir.core.metric.MetricPlan;
import io.weir.core.publish.PublishMode;
import io.weir.source.TableSpec;

/**
 * What a job loads, and how.
 *
 * @param name of the job
 * @param source name of the source
 * @param target {@code namespace.table} in the lake
 * @param allowEmpty whether a source without rows may be published
 * @param partitionBytes source bytes for each partition, about
 * @param chunkBytes size of a file in the lake, about
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
        long chunkBytes) {
    public static final long PARTITION_BYTES_DEFAULT = 256L << 20;
    public static final long CHUNK_BYTES_DEFAULT = 256L << 20;
}
