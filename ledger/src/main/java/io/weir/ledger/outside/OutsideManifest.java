package io.weir.ledger.outside;

import io.weir.core.run.PartitionId;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an outside run has to read.
 *
 * @param snapshot number of the source's snapshot; null where the source has none
 * @param metrics what the source measured at the snapshot, by name
 */
public record OutsideManifest(
        @Nullable BigInteger snapshot,
        long sourceCount,
        long nullSplitCount,
        @Nullable BigInteger minSplit,
        @Nullable BigInteger maxSplit,
        int plannedPartitions,
        Map<String, String> metrics,
        String metricsVersion,
        List<Part> parts) {
    public OutsideManifest {
        metrics = Map.copyOf(metrics);
        parts = List.copyOf(parts);
    }

    /** One partition; its bounds are null exactly for the rows whose split column is NULL. */
    public record Part(
            PartitionId id,
            @Nullable BigInteger lower,
            @Nullable BigInteger upper,
            boolean upperInclusive,
            boolean isNull,
            long expectedRows) {}

    /** Equal exactly for equal manifests. */
    String digest() {
        return Digests.sha256(List.of(
                        String.valueOf(snapshot),
                        sourceCount,
                        nullSplitCount,
                        String.valueOf(minSplit),
                        String.valueOf(maxSplit),
                        plannedPartitions,
                        new TreeMap<>(metrics),
                        metricsVersion,
                        parts)
                .toString());
    }
}
