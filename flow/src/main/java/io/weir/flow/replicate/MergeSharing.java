package io.weir.flow.replicate;

import io.weir.engine.MergeShare;

import java.util.List;

/**
 * How many tables are merged at once, and what each merge may use. Pure.
 *
 * @param atOnce at least 1; shares of any so many merges fit into the memory
 * @param shares of each merge, in the order of the needs
 */
record MergeSharing(int atOnce, List<MergeShare> shares) {
    /** No merge is planned with less. */
    static final long SHARE_MIN = 128L << 20;

    /** Left to everything else of the machine, such as the heap that grows. */
    static final long RESERVE = 128L << 20;

    /** For what does not depend on the changes. */
    private static final long NEED_MIN = 64L << 20;

    /** Changes in their files are packed. */
    private static final long PACKED = 8;

    /** A digest and what finds it. */
    private static final long ROW_BYTES = 8;

    MergeSharing {
        shares = List.copyOf(shares);
    }

    /**
     * As many at once as have room for what they are likely to need, so that few of them spill.
     *
     * @param needs bytes that each merge is likely to need, the largest first; at least one
     * @param whole what all merges have together
     * @param free bytes of memory that nobody uses now
     * @param limit no more than so many at once
     */
    static MergeSharing of(List<Long> needs, MergeShare whole, long free, int limit) {
        long room = Math.min(whole.memoryBytes(), Math.max(SHARE_MIN, free - RESERVE));
        List<Long> wanted = needs.stream()
                .map(need -> Math.min(room, Math.max(SHARE_MIN, need)))
                .toList();
        int atOnce = 0;
        long taken = 0;
        int most = Math.min(limit, wanted.size());
        while (atOnce < most && taken + wanted.get(atOnce) <= room) {
            taken += wanted.get(atOnce);
            atOnce++;
        }
        int fitting = Math.max(1, atOnce);
        // Nobody is to wait for memory that lies idle: what is left is shared out by need.
        double more = (double) room / Math.max(taken, 1);
        int threads = Math.max(1, whole.threads() / fitting);
        return new MergeSharing(
                fitting,
                wanted.stream()
                        .map(want -> new MergeShare(
                                fitting == 1 ? room : Math.min(room, (long) (want * more)),
                                threads))
                        .toList());
    }

    /**
     * What a merge is likely to need.
     *
     * @param logBytes of the files that hold its changes
     * @param tableRows rows of the table that they go into
     */
    static long need(long logBytes, long tableRows) {
        return NEED_MIN + PACKED * logBytes + ROW_BYTES * tableRows;
    }
}
