package io.weir.ledger.manifest;

import io.weir.core.ledger.Manifest;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricName;
import io.weir.core.run.KeyRange;
import io.weir.core.run.PartitionId;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The proof of a split plan: every row of the source is in exactly one partition, and the
 * expectation speaks of the same rows.
 */
public final class ManifestRules {
    private static final int PARTITIONS_MAX = 10_000;

    private ManifestRules() {}

    /** Every violated invariant by its stable name; empty if the manifest is good. */
    public static Set<String> violations(Manifest manifest, boolean allowEmpty) {
        Set<String> violations = new LinkedHashSet<>();
        checkCount(manifest, violations);
        checkNullPartition(manifest, violations);
        checkRanges(manifest, violations);
        checkRows(manifest, allowEmpty, violations);
        checkExpectation(manifest, violations);
        return violations;
    }

    private static void checkCount(Manifest manifest, Set<String> violations) {
        List<Manifest.Part> parts = manifest.parts();
        if (parts.isEmpty()) {
            violations.add("NO_PARTITIONS");
        }
        if (parts.size() > PARTITIONS_MAX) {
            violations.add("TOO_MANY_PARTITIONS");
        }
        long ids = parts.stream().map(Manifest.Part::id).distinct().count();
        if (ids != parts.size()) {
            violations.add("DUPLICATE_PARTITION_ID");
        }
    }

    private static void checkNullPartition(Manifest manifest, Set<String> violations) {
        int nullRanges = 0;
        for (Manifest.Part part : manifest.parts()) {
            nullRanges += part.range().isNull() ? 1 : 0;
            if (part.range().isNull() != part.id().equals(PartitionId.NULL)) {
                violations.add("INVALID_NULL_PARTITION");
            }
        }
        if (nullRanges > 1) {
            violations.add("MULTIPLE_NULL_PARTITIONS");
        }
    }

    private static void checkRanges(Manifest manifest, Set<String> violations) {
        List<KeyRange> ranges = new ArrayList<>();
        for (Manifest.Part part : manifest.parts()) {
            if (!part.range().isNull()) {
                ranges.add(part.range());
            }
        }
        if (ranges.isEmpty() || ranges.get(0).lower() != null) {
            violations.add("FIRST_RANGE_NOT_OPEN");
        }
        if (ranges.isEmpty() || ranges.get(ranges.size() - 1).upper() != null) {
            violations.add("LAST_RANGE_NOT_OPEN");
        }
        for (int i = 1; i < ranges.size(); i++) {
            KeyRange left = ranges.get(i - 1);
            KeyRange right = ranges.get(i);
            // An open bound in the middle would overlap everything on its side.
            if (left.upper() == null || !Objects.equals(left.upper(), right.lower())) {
                violations.add("RANGE_GAP_OR_OVERLAP");
            }
        }
    }

    private static void checkRows(Manifest manifest, boolean allowEmpty, Set<String> violations) {
        if (manifest.sourceCount() < 0) {
            violations.add("NEGATIVE_ROW_COUNT");
        }
        if (manifest.sourceCount() == 0 && !allowEmpty) {
            violations.add("EMPTY_SOURCE_BLOCKED");
        }
        long sum = 0;
        boolean allKnown = true;
        for (Manifest.Part part : manifest.parts()) {
            Long expected = part.expectedRows();
            if (expected == null) {
                allKnown = false;
            } else {
                if (expected < 0) {
                    violations.add("NEGATIVE_ROW_COUNT");
                }
                sum += expected;
            }
        }
        if (allKnown && sum != manifest.sourceCount()) {
            violations.add("EXPECTED_SUM_MISMATCH");
        }
    }

    private static void checkExpectation(Manifest manifest, Set<String> violations) {
        Set<MetricName> names = new HashSet<>();
        boolean counted = false;
        for (Measure measure : manifest.expectation()) {
            MetricName name = measure.name();
            if (!names.add(name)) {
                violations.add("DUPLICATE_METRIC");
            }
            if (name.equals(MetricName.BALANCE) || name.equals(MetricName.DUPLICATE_KEYS)) {
                // The ledger computes what these must be; nobody tells it.
                violations.add("UNEXPECTED_METRIC");
            }
            if (name.equals(MetricName.ROW_COUNT)) {
                counted = true;
                if (!Long.toString(manifest.sourceCount()).equals(measure.value())) {
                    violations.add("ROW_COUNT_MISMATCH");
                }
            }
        }
        if (!counted) {
            violations.add("ROW_COUNT_MISSING");
        }
    }
}
