package io.weir.source;

/**
 * How a table is cut.
 *
 * @param targetBytesPerPartition size at the source that one partition should have
 * @param partitionsMax never more partitions than this, 1 to 9,999
 */
public record SplitOptions(long targetBytesPerPartition, int partitionsMax) {
    public static final SplitOptions DEFAULTS = new SplitOptions(128L << 20, 1_000);

    private static final int PARTITIONS_LIMIT = 9_999;

    public SplitOptions {
        if (targetBytesPerPartition < 1) {
            throw new IllegalArgumentException(
                    "Invalid partition size " + targetBytesPerPartition + ": at least 1 byte");
        }
        if (partitionsMax < 1 || partitionsMax > PARTITIONS_LIMIT) {
            throw new IllegalArgumentException(
                    "Invalid partition limit " + partitionsMax + ": 1 to " + PARTITIONS_LIMIT);
        }
    }
}
