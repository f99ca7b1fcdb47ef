package io.weir.source;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Proves that ranges neither overlap nor leave a gap: the first is open below, the last open above,
 * each begins with the very token at which the one before ends, no cut repeats, at most one range
 * of NULLs, and no more ranges than allowed. Nothing is compared but tokens, so that no arithmetic
 * or collation of ours can differ from the database's.
 */
public final class SplitProof {
    private SplitProof() {}

    /** Every violation, in words; empty: proven. */
    public static List<String> violations(List<KeyRange> ranges, int partitionsMax) {
        List<String> found = new ArrayList<>();
        List<KeyRange> bounded =
                ranges.stream().filter(range -> !range.isNull()).toList();
        int nulls = ranges.size() - bounded.size();
        if (ranges.size() > partitionsMax) {
            found.add("there are " + ranges.size() + " ranges, allowed are " + partitionsMax);
        }
        if (nulls > 1) {
            found.add("there are " + nulls + " ranges of NULLs");
        }
        if (bounded.isEmpty()) {
            found.add("no range holds values");
            return found;
        }
        if (bounded.get(0).lower() != null) {
            found.add("the first range starts at " + text(bounded.get(0).lower()));
        }
        KeyRange last = bounded.get(bounded.size() - 1);
        if (last.upper() != null) {
            found.add("the last range ends at " + text(last.upper()));
        }
        checkCuts(bounded, found);
        return found;
    }

    private static void checkCuts(List<KeyRange> bounded, List<String> found) {
        Set<Bound> cuts = new HashSet<>();
        for (int i = 1; i < bounded.size(); i++) {
            Bound end = bounded.get(i - 1).upper();
            Bound start = bounded.get(i).lower();
            if (end == null || start == null || !Objects.equals(end, start)) {
                found.add("range " + i + " starts at " + text(start) + ", the one before ends at "
                        + text(end));
            } else if (!cuts.add(start)) {
                found.add("the cut " + text(start) + " repeats");
            }
        }
        if (cuts.stream().map(Bound::kind).distinct().count() > 1) {
            found.add("the cuts are of different kinds");
        }
    }

    private static String text(@Nullable Bound bound) {
        return bound == null ? "open" : bound.text();
    }

    /**
     * The ranges, if they are proven.
     *
     * @throws WeirException {@code INTERNAL}: a split plan of ours must never break this
     */
    public static List<KeyRange> proven(String table, List<KeyRange> ranges, int partitionsMax) {
        List<String> found = violations(ranges, partitionsMax);
        if (!found.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INTERNAL,
                    "Cannot split table " + table + ": " + String.join("; ", found) + " (ranges="
                            + ranges.size() + ")");
        }
        return List.copyOf(ranges);
    }
}
