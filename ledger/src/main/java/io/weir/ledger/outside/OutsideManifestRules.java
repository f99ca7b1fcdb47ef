package io.weir.ledger.outside;

import io.weir.core.run.PartitionId;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The proof of a split plan with closed numeric ranges. Pure. */
public final class OutsideManifestRules {
    private OutsideManifestRules() {}

    /** Every violated invariant by its stable name; empty if the manifest is good. */
    public static Set<String> violations(OutsideManifest manifest, boolean allowEmpty) {
        Set<String> violations = new LinkedHashSet<>();
        checkCounts(manifest, allowEmpty, violations);
        checkNulls(manifest, violations);
        List<OutsideManifest.Part> ranges = ranges(manifest, violations);
        checkRanges(ranges, violations);
        checkSplit(manifest, ranges, violations);
        return violations;
    }

    private static void checkCounts(
            OutsideManifest manifest, boolean allowEmpty, Set<String> violations) {
        List<OutsideManifest.Part> parts = manifest.parts();
        if (parts.stream().map(OutsideManifest.Part::id).distinct().count() != parts.size()) {
            violations.add("DUPLICATE_PARTITION_ID");
        }
        if (parts.size() != manifest.plannedPartitions()) {
            violations.add("PARTITION_COUNT_MISMATCH");
        }
        BigInteger sum = parts.stream()
                .map(part -> BigInteger.valueOf(part.expectedRows()))
                .reduce(BigInteger.ZERO, BigInteger::add);
        if (!sum.equals(BigInteger.valueOf(manifest.sourceCount()))) {
            violations.add("EXPECTED_SUM_MISMATCH");
        }
        if (manifest.sourceCount() == 0 && !allowEmpty) {
            violations.add("EMPTY_SOURCE_BLOCKED");
        }
    }

    private static void checkNulls(OutsideManifest manifest, Set<String> violations) {
        List<OutsideManifest.Part> nulls =
                manifest.parts().stream().filter(OutsideManifest.Part::isNull).toList();
        if (nulls.size() > 1) {
            violations.add("MULTIPLE_NULL_PARTITIONS");
        }
        for (OutsideManifest.Part part : nulls) {
            boolean bounded = part.lower() != null || part.upper() != null;
            if (bounded || part.upperInclusive() || !part.id().equals(PartitionId.NULL)) {
                violations.add("INVALID_NULL_PARTITION");
            }
            if (part.expectedRows() != manifest.nullSplitCount()) {
                violations.add("NULL_COUNT_MISMATCH");
            }
        }
        if (nulls.isEmpty() && manifest.nullSplitCount() > 0) {
            violations.add("NULL_ROWS_WITHOUT_NULL_PARTITION");
        }
    }

    /** Those with usable bounds, by lower bound. */
    private static List<OutsideManifest.Part> ranges(
            OutsideManifest manifest, Set<String> violations) {
        List<OutsideManifest.Part> ranges = new ArrayList<>();
        for (OutsideManifest.Part part : manifest.parts()) {
            if (part.isNull()) {
                continue;
            }
            BigInteger lower = part.lower();
            BigInteger upper = part.upper();
            boolean usable = lower != null
                    && upper != null
                    && lower.compareTo(upper) <= 0
                    && !part.id().equals(PartitionId.NULL);
            if (usable) {
                ranges.add(part);
            } else {
                violations.add("INVALID_BOUNDS");
            }
        }
        ranges.sort(Comparator.comparing(part -> bound(part.lower())));
        return ranges;
    }

    private static void checkRanges(List<OutsideManifest.Part> ranges, Set<String> violations) {
        for (int i = 0; i < ranges.size(); i++) {
            OutsideManifest.Part part = ranges.get(i);
            boolean last = i == ranges.size() - 1;
            if (part.upperInclusive() != last) {
                violations.add("UPPER_INCLUSIVE_INVALID");
            }
            if (!last && !Objects.equals(part.upper(), ranges.get(i + 1).lower())) {
                violations.add("RANGE_GAP_OR_OVERLAP");
            }
        }
    }

    private static void checkSplit(
            OutsideManifest manifest, List<OutsideManifest.Part> ranges, Set<String> violations) {
        if (ranges.isEmpty()) {
            return;
        }
        BigInteger min = manifest.minSplit();
        BigInteger max = manifest.maxSplit();
        if (min != null && !min.equals(ranges.get(0).lower())) {
            violations.add("MIN_SPLIT_MISMATCH");
        }
        if (max != null && !max.equals(ranges.get(ranges.size() - 1).upper())) {
            violations.add("MAX_SPLIT_MISMATCH");
        }
    }

    private static BigInteger bound(@Nullable BigInteger bound) {
        return Objects.requireNonNull(bound, "bound of a usable range");
    }
}
