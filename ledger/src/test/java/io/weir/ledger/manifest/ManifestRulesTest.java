package io.weir.ledger.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.Manifest;
import io.weir.core.ledger.ReadOptions;
import io.weir.core.metric.Measure;
import io.weir.core.metric.MetricKind;
import io.weir.core.metric.MetricName;
import io.weir.core.row.LossPolicy;
import io.weir.core.run.Bound;
import io.weir.core.run.Consistency;
import io.weir.core.run.KeyRange;
import io.weir.core.run.PartitionId;
import io.weir.core.run.Position;
import io.weir.core.run.SnapshotToken;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class ManifestRulesTest {
    private static final Bound FIVE = new Bound("int8", "5");
    private static final Bound NINE = new Bound("int8", "9");
    private static final List<Measure> COUNTED = List.of(new Measure(MetricName.ROW_COUNT, "10"));

    @Test
    void acceptsOpenContiguousRangesAndANullRange() {
        List<Manifest.Part> parts = List.of(
                part("0000", KeyRange.between(null, FIVE), 3L),
                part("0001", KeyRange.between(FIVE, NINE), 4L),
                part("0002", KeyRange.between(NINE, null), 2L),
                part("NULL", KeyRange.NULLS, 1L));

        assertThat(violations(10, COUNTED, parts)).isEmpty();
        assertThat(violations(10, COUNTED, List.of(part("0000", KeyRange.ALL, null))))
                .isEmpty();
    }

    @Test
    void countsPartitions() {
        assertThat(violations(10, COUNTED, List.of()))
                .containsExactly(
                        "NO_PARTITIONS",
                        "FIRST_RANGE_NOT_OPEN",
                        "LAST_RANGE_NOT_OPEN",
                        "EXPECTED_SUM_MISMATCH");
        List<Manifest.Part> many = new ArrayList<>();
        for (int i = 0; i <= 10_000; i++) {
            Bound lower = i == 0 ? null : new Bound("int8", Integer.toString(i));
            Bound upper = i == 10_000 ? null : new Bound("int8", Integer.toString(i + 1));
            String id = i == 10_000 ? "0000" : PartitionId.ofIndex(i).value();
            many.add(part(id, KeyRange.between(lower, upper), null));
        }
        assertThat(violations(10, COUNTED, many))
                .containsExactly("TOO_MANY_PARTITIONS", "DUPLICATE_PARTITION_ID");
    }

    @Test
    void wantsTheOutermostRangesOpen() {
        assertThat(violations(10, COUNTED, ranges(KeyRange.between(FIVE, null))))
                .containsExactly("FIRST_RANGE_NOT_OPEN");
        assertThat(violations(10, COUNTED, ranges(KeyRange.between(null, FIVE))))
                .containsExactly("LAST_RANGE_NOT_OPEN");
        assertThat(violations(10, COUNTED, List.of(part("NULL", KeyRange.NULLS, null))))
                .containsExactly("FIRST_RANGE_NOT_OPEN", "LAST_RANGE_NOT_OPEN");
    }

    @Test
    void wantsEachRangeToBeginWhereTheOneBeforeEnds() {
        assertThat(violations(
                        10,
                        COUNTED,
                        ranges(KeyRange.between(null, FIVE), KeyRange.between(NINE, null))))
                .containsExactly("RANGE_GAP_OR_OVERLAP");
        assertThat(violations(
                        10,
                        COUNTED,
                        ranges(
                                KeyRange.between(null, FIVE),
                                KeyRange.between(new Bound("text", "5"), null))))
                .containsExactly("RANGE_GAP_OR_OVERLAP");
        assertThat(violations(10, COUNTED, ranges(KeyRange.ALL, KeyRange.ALL)))
                .containsExactly("RANGE_GAP_OR_OVERLAP");
    }

    @Test
    void knowsTheNullPartitionByItsName() {
        assertThat(violations(
                        10,
                        COUNTED,
                        List.of(
                                part("0000", KeyRange.ALL, null),
                                part("0001", KeyRange.NULLS, null))))
                .containsExactly("INVALID_NULL_PARTITION");
        assertThat(violations(10, COUNTED, List.of(part("NULL", KeyRange.ALL, null))))
                .containsExactly("INVALID_NULL_PARTITION");
        assertThat(violations(
                        10,
                        COUNTED,
                        List.of(
                                part("0000", KeyRange.ALL, null),
                                part("NULL", KeyRange.NULLS, null),
                                part("NULL", KeyRange.NULLS, null))))
                .containsExactly("DUPLICATE_PARTITION_ID", "MULTIPLE_NULL_PARTITIONS");
    }

    @Test
    void addsUpExpectedRowsWhereAllAreKnown() {
        List<Manifest.Part> known = List.of(
                part("0000", KeyRange.between(null, FIVE), 3L),
                part("0001", KeyRange.between(FIVE, null), 6L));
        List<Manifest.Part> partly = List.of(
                part("0000", KeyRange.between(null, FIVE), 3L),
                part("0001", KeyRange.between(FIVE, null), null));
        List<Manifest.Part> negative = List.of(part("0000", KeyRange.ALL, -1L));

        assertThat(violations(10, COUNTED, known)).containsExactly("EXPECTED_SUM_MISMATCH");
        assertThat(violations(10, COUNTED, partly)).isEmpty();
        assertThat(violations(10, COUNTED, negative))
                .containsExactly("NEGATIVE_ROW_COUNT", "EXPECTED_SUM_MISMATCH");
    }

    @Test
    void blocksAnEmptySourceUnlessAllowed() {
        List<Measure> none = List.of(new Measure(MetricName.ROW_COUNT, "0"));
        Manifest manifest = manifest(0, none, ranges(KeyRange.ALL));

        assertThat(ManifestRules.violations(manifest, false))
                .containsExactly("EMPTY_SOURCE_BLOCKED");
        assertThat(ManifestRules.violations(manifest, true)).isEmpty();
    }

    @Test
    void wantsTheExpectationToCountTheSameRows() {
        Measure sum = new Measure(new MetricName(MetricKind.SUM, "amount"), "1");
        Measure count = new Measure(MetricName.ROW_COUNT, "10");
        Measure wrong = new Measure(MetricName.ROW_COUNT, "11");
        Measure balance = new Measure(MetricName.BALANCE, "10:0");
        List<Manifest.Part> all = ranges(KeyRange.ALL);

        assertThat(violations(10, List.of(sum), all)).containsExactly("ROW_COUNT_MISSING");
        assertThat(violations(10, List.of(wrong), all)).containsExactly("ROW_COUNT_MISMATCH");
        assertThat(violations(10, List.of(count, sum, sum), all))
                .containsExactly("DUPLICATE_METRIC");
        assertThat(violations(10, List.of(count, balance), all))
                .containsExactly("UNEXPECTED_METRIC");
    }

    @Test
    void tellsManifestsApartByEveryWord() {
        Manifest manifest = manifest(10, COUNTED, ranges(KeyRange.ALL));
        Manifest same = manifest(10, COUNTED, ranges(KeyRange.ALL));
        Manifest otherSnapshot =
                manifest("00000004-1", ReadOptions.NONE, 10, COUNTED, ranges(KeyRange.ALL));
        Manifest otherReading = manifest(
                "00000003-1",
                new ReadOptions(List.of(), Map.of("price", LossPolicy.NULL)),
                10,
                COUNTED,
                ranges(KeyRange.ALL));
        Manifest otherRows = manifest(10, COUNTED, List.of(part("0000", KeyRange.ALL, 10L)));

        assertThat(ManifestDigest.of(same))
                .isEqualTo(ManifestDigest.of(manifest))
                .hasSize(64);
        assertThat(ManifestDigest.of(otherSnapshot)).isNotEqualTo(ManifestDigest.of(manifest));
        assertThat(ManifestDigest.of(otherReading)).isNotEqualTo(ManifestDigest.of(manifest));
        assertThat(ManifestDigest.of(otherRows)).isNotEqualTo(ManifestDigest.of(manifest));
    }

    private static Iterable<String> violations(
            long rows, List<Measure> expectation, List<Manifest.Part> parts) {
        return ManifestRules.violations(manifest(rows, expectation, parts), false);
    }

    private static Manifest manifest(
            long rows, List<Measure> expectation, List<Manifest.Part> parts) {
        return manifest("00000003-1", ReadOptions.NONE, rows, expectation, parts);
    }

    private static Manifest manifest(
            String snapshot,
            ReadOptions reading,
            long rows,
            List<Measure> expectation,
            List<Manifest.Part> parts) {
        return new Manifest(
                new SnapshotToken("postgresql-snapshot", snapshot),
                new Position("lsn", "0/1"),
                Consistency.SAME_SNAPSHOT,
                rows,
                List.of("id"),
                List.of("id"),
                reading,
                expectation,
                parts);
    }

    private static List<Manifest.Part> ranges(KeyRange... ranges) {
        List<Manifest.Part> parts = new ArrayList<>();
        for (KeyRange range : ranges) {
            parts.add(new Manifest.Part(PartitionId.ofIndex(parts.size()), range, null));
        }
        return parts;
    }

    private static Manifest.Part part(String id, KeyRange range, @Nullable Long expectedRows) {
        return new Manifest.Part(new PartitionId(id), range, expectedRows);
    }
}
