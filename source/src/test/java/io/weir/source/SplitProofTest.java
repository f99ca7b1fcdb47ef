package io.weir.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

class SplitProofTest {
    private static final int MANY = 100;

    @Test
    void acceptsOneOpenRange() {
        assertThat(SplitProof.violations(List.of(KeyRange.ALL), 1)).isEmpty();
    }

    @Test
    void acceptsContiguousRangesWithNulls() {
        assertThat(SplitProof.violations(
                        List.of(
                                range(null, "5"),
                                range("5", "9"),
                                range("9", null),
                                KeyRange.NULLS),
                        MANY))
                .isEmpty();
    }

    @Test
    void namesEveryHole() {
        assertThat(SplitProof.violations(List.of(range("1", "5"), range("6", "9")), MANY))
                .containsExactly(
                        "the first range starts at 1",
                        "the last range ends at 9",
                        "range 1 starts at 6, the one before ends at 5");
    }

    @Test
    void refusesAnInnerRangeThatIsOpen() {
        assertThat(SplitProof.violations(List.of(range(null, null), range(null, null)), MANY))
                .containsExactly("range 1 starts at open, the one before ends at open");
    }

    @Test
    void refusesACutThatRepeats() {
        assertThat(SplitProof.violations(
                        List.of(range(null, "5"), range("5", "5"), range("5", null)), MANY))
                .containsExactly("the cut 5 repeats");
    }

    @Test
    void refusesCutsOfDifferentKinds() {
        List<KeyRange> ranges = List.of(
                range(null, "5"),
                KeyRange.between(new Bound("id", "5"), new Bound("ctid", "(9,0)")),
                KeyRange.between(new Bound("ctid", "(9,0)"), null));
        assertThat(SplitProof.violations(ranges, MANY))
                .containsExactly("the cuts are of different kinds");
    }

    @Test
    void refusesTwoRangesOfNulls() {
        assertThat(SplitProof.violations(
                        List.of(KeyRange.ALL, KeyRange.NULLS, KeyRange.NULLS), MANY))
                .containsExactly("there are 2 ranges of NULLs");
    }

    @Test
    void refusesNothingAndNullsAlone() {
        assertThat(SplitProof.violations(List.of(), MANY)).containsExactly("no range holds values");
        assertThat(SplitProof.violations(List.of(KeyRange.NULLS), MANY))
                .containsExactly("no range holds values");
    }

    @Test
    void refusesMoreRangesThanAllowed() {
        assertThat(SplitProof.violations(List.of(range(null, "5"), range("5", null)), 1))
                .containsExactly("there are 2 ranges, allowed are 1");
    }

    @Test
    void throwsWithEveryViolation() {
        assertThatThrownBy(() -> SplitProof.proven("public.t", List.of(range("1", null)), MANY))
                .isInstanceOfSatisfying(
                        WeirException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.INTERNAL))
                .hasMessage("Cannot split table public.t: the first range starts at 1 (ranges=1)");
    }

    /** A right plan holds each value once; one that lost, doubled or moved a range fails. */
    @Test
    void provenPlansHoldEachValueOnceAndDamagedOnesAreRefused() {
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            List<KeyRange> plan = plan(random);
            assertThat(SplitProof.violations(plan, MANY)).isEmpty();
            for (int value = -1; value <= 100; value++) {
                int key = value;
                assertThat(plan.stream().filter(range -> holds(range, key))).hasSize(1);
            }
            if (plan.size() > 1) {
                List<KeyRange> damaged = new ArrayList<>(plan);
                int at = random.nextInt(plan.size());
                switch (random.nextInt(3)) {
                    case 0 -> damaged.remove(at);
                    case 1 -> damaged.add(at, plan.get(at));
                    default -> Collections.swap(damaged, at, (at + 1) % plan.size());
                }
                assertThat(SplitProof.violations(damaged, MANY))
                        .as("%s", damaged)
                        .isNotEmpty();
            }
        }
    }

    private static List<KeyRange> plan(Random random) {
        List<KeyRange> ranges = new ArrayList<>();
        String lower = null;
        for (int cut = random.nextInt(40); cut < 100; cut += 1 + random.nextInt(40)) {
            String upper = Integer.toString(cut);
            ranges.add(range(lower, upper));
            lower = upper;
        }
        ranges.add(range(lower, null));
        return ranges;
    }

    private static boolean holds(KeyRange range, int key) {
        Bound lower = range.lower();
        Bound upper = range.upper();
        return (lower == null || key >= Integer.parseInt(lower.text()))
                && (upper == null || key < Integer.parseInt(upper.text()));
    }

    private static KeyRange range(@Nullable String lower, @Nullable String upper) {
        return KeyRange.between(
                lower == null ? null : new Bound("id", lower),
                upper == null ? null : new Bound("id", upper));
    }
}
