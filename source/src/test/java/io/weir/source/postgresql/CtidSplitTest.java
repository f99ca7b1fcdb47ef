package io.weir.source.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;
import io.weir.source.SplitOptions;
import io.weir.source.SplitProof;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class CtidSplitTest {
    @Test
    void cutsByEqualShares() {
        assertThat(CtidSplit.split(List.of(100L), 400, new SplitOptions(100, 10)))
                .containsExactly(
                        KeyRange.between(null, at(25)),
                        KeyRange.between(at(25), at(50)),
                        KeyRange.between(at(50), at(75)),
                        KeyRange.between(at(75), null));
    }

    @Test
    void placesCutsWhereMostBlocksOfAllTablesAre() {
        assertThat(CtidSplit.split(List.of(10L, 10L, 100L), 2, new SplitOptions(1, 10)))
                .containsExactly(KeyRange.between(null, at(40)), KeyRange.between(at(40), null));
    }

    @Test
    void readsAnEmptyTableAsOneOpenRange() {
        assertThat(CtidSplit.split(List.of(0L), 0, SplitOptions.DEFAULTS))
                .containsExactly(KeyRange.ALL);
        assertThat(CtidSplit.split(List.of(), 0, SplitOptions.DEFAULTS))
                .containsExactly(KeyRange.ALL);
    }

    /** Whatever the sizes, the ranges are proven, bounded in number, and about equal. */
    @Test
    void everyPlanIsProven() {
        Random random = new Random(42);
        for (int round = 0; round < 5_000; round++) {
            List<Long> blocks = new ArrayList<>();
            for (int table = random.nextInt(4); table >= 0; table--) {
                blocks.add(
                        random.nextInt(3) == 0
                                ? 0L
                                : random.nextLong() >>> (31 + random.nextInt(33)));
            }
            long total = blocks.stream().mapToLong(count -> count).sum();
            SplitOptions options =
                    new SplitOptions(1 + random.nextInt(1 << 20), 1 + random.nextInt(50));

            List<KeyRange> ranges = CtidSplit.split(blocks, total * 8192, options);

            assertThat(SplitProof.violations(ranges, options.partitionsMax())).isEmpty();
            long longest = blocks.stream().mapToLong(count -> count).max().orElse(0);
            assertThat((long) ranges.size()).isLessThanOrEqualTo(Math.max(1, longest));
            long rest = total - sharesOfAllButLast(ranges, blocks);
            assertThat(rest)
                    .as("blocks %s with %s", blocks, options)
                    .isLessThanOrEqualTo(
                            total / ranges.size() + (long) blocks.size() * ranges.size());
        }
    }

    private static long sharesOfAllButLast(List<KeyRange> ranges, List<Long> blocks) {
        Bound last = ranges.get(ranges.size() - 1).lower();
        if (last == null) {
            return 0;
        }
        long cut = Long.parseLong(last.text().substring(1, last.text().indexOf(',')));
        return blocks.stream().mapToLong(count -> Math.min(count, cut)).sum();
    }

    private static Bound at(long block) {
        return new Bound("ctid", "(" + block + ",0)");
    }
}
