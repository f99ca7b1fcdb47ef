package io.weir.flow.load;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.metric.MetricPlan;
import io.weir.core.publish.PublishMode;
import io.weir.core.route.PartitionBy;
import io.weir.core.route.PartitionKey;
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
 * @param chunkBytes size of a file in the lake, about; of all files of a chunk if the target is
 *     partitioned
 * @param partitionBy what the target is partitioned by; nothing: as it is, if it exists
 * @param recovery what happens to a partition whose worker is lost
 * @param timeout how long a run may take until it is published
 * @param replica whether the target is kept equal to the table afterwards, so that each row needs
 *     its digest beside it
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
        PartitionBy partitionBy,
        RecoveryMode recovery,
        Duration timeout,
        boolean replica) {
    public static final Duration TIMEOUT_DEFAULT = Duration.ofHours(6);
    public static final long PARTITION_BYTES_DEFAULT = 512L << 20;
    public static final long CHUNK_BYTES_DEFAULT = 256L << 20;

    private static final long PARTITION_BYTES_MIN = 32L << 20;
    private static final int PARTITIONS_MAX = 1_000;
    private static final int PARTITIONS_PER_WORKER = 2;

    /** A job whose target is not replicated. */
    public LoadJob(
            String name,
            String source,
            TableSpec table,
            String target,
            PublishMode publish,
            MetricPlan.Verify verify,
            boolean allowEmpty,
            long partitionBytes,
            long chunkBytes,
            PartitionBy partitionBy,
            RecoveryMode recovery,
            Duration timeout) {
        this(
                name,
                source,
                table,
                target,
                publish,
                verify,
                allowEmpty,
                partitionBytes,
                chunkBytes,
                partitionBy,
                recovery,
                timeout,
                false);
    }

    /** All rows of a table into a target that is kept equal to it afterwards. */
    public static LoadJob replica(
            String name, String source, TableSpec table, String target, PartitionBy partitionBy) {
        return new LoadJob(
                name,
                source,
                table,
                target,
                PublishMode.REPLACE,
                MetricPlan.Verify.METRICS,
                true,
                PARTITION_BYTES_DEFAULT,
                CHUNK_BYTES_DEFAULT,
                partitionBy,
                RecoveryMode.REISSUE,
                TIMEOUT_DEFAULT,
                true);
    }

    /** A job with a target as it is, whose lost partitions are read again. */
    public LoadJob(
            String name,
            String source,
            TableSpec table,
            String target,
            PublishMode publish,
            MetricPlan.Verify verify,
            boolean allowEmpty,
            long partitionBytes,
            long chunkBytes) {
        this(
                name,
                source,
                table,
                target,
                publish,
                verify,
                allowEmpty,
                partitionBytes,
                chunkBytes,
                PartitionBy.NOTHING,
                RecoveryMode.REISSUE,
                TIMEOUT_DEFAULT);
    }

    /**
     * The job as it is done for a business key: if the key names what is replaced, only those rows
     * are read.
     *
     * @throws WeirException {@link ErrorCode#CONFIG_INVALID} if it would name rows and there is no
     *     field to name them by; whether it really does is told when the table is inspected
     */
    LoadJob forKey(String businessKey) {
        if (publish != PublishMode.REPLACE_PARTITIONS) {
            return this;
        }
        if (!partitionBy.isPartitioned()) {
            throw new WeirException(
                    ErrorCode.CONFIG_INVALID,
                    "Cannot load job " + name
                            + ": publish is replace-partitions and partition-by is missing");
        }
        return with(table.keyed(new PartitionKey(partitionBy.first(), businessKey)), partitionBy);
    }

    /** The same job into a target that is partitioned so. */
    LoadJob into(PartitionBy targetPartitionBy) {
        return with(table, targetPartitionBy);
    }

    private LoadJob with(TableSpec spec, PartitionBy targetPartitionBy) {
        return new LoadJob(
                name,
                source,
                spec,
                target,
                publish,
                verify,
                allowEmpty,
                partitionBytes,
                chunkBytes,
                targetPartitionBy,
                recovery,
                timeout,
                replica);
    }

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
