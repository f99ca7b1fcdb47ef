package io.weir.source.postgresql;

import io.weir.core.run.Bound;
import io.weir.core.run.KeyRange;
import io.weir.source.SplitOptions;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a table by block number. A cut applies to every partition or inheriting table alike, so cuts
 * are placed where the blocks below them, added over all of them, reach equal shares.
 */
final class CtidSplit {
    static final String KIND = "ctid";

    private CtidSplit() {}

    /**
     * The ranges of a table.
     *
     * @param blocks the number of blocks of each table that is read
     * @param totalBytes what the partitions share, including values stored out of line
     */
    static List<KeyRange> split(List<Long> blocks, long totalBytes, SplitOptions options) {
        long wanted = totalBytes / options.targetBytesPerPartition()
                + (totalBytes % options.targetBytesPerPartition() == 0 ? 0 : 1);
        long longest = blocks.stream().mapToLong(Long::longValue).max().orElse(0);
        long count = Math.min(Math.min(wanted, options.partitionsMax()), longest);
        long total = below(blocks, longest);
        List<KeyRange> ranges = new ArrayList<>();
        Bound lower = null;
        long previous = 0;
        for (long i = 1; i < count; i++) {
            long cut = firstReaching(blocks, longest, share(total, i, count));
            if (cut <= previous || cut >= longest) {
                continue;
            }
            Bound upper = new Bound(KIND, "(" + cut + ",0)");
            ranges.add(KeyRange.between(lower, upper));
            lower = upper;
            previous = cut;
        }
        ranges.add(KeyRange.between(lower, null));
        return ranges;
    }

    /** {@code total × i / count} without leaving 64 bits. */
    private static long share(long total, long i, long count) {
        return total / count * i + total % count * i / count;
    }

    /** The smallest cut that has at least so many blocks below it. */
    private static long firstReaching(List<Long> blocks, long longest, long share) {
        long low = 0;
        long high = longest;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (below(blocks, middle) >= share) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private static long below(List<Long> blocks, long cut) {
        long sum = 0;
        for (long count : blocks) {
            sum += Math.min(count, cut);
        }
        return sum;
    }
}
