package io.weir.core.row;

/** Adds digests without making an object per row. Not thread-safe. */
public final class BalanceSum {
    private long rows;
    private long high;
    private long low;

    public void add(RowDigest digest) {
        add(digest.high(), digest.low());
    }

    public void add(long digestHigh, long digestLow) {
        long sum = low + digestLow;
        high += digestHigh + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
        low = sum;
        rows++;
    }

    public Balance balance() {
        return new Balance(rows, high, low);
    }

    public void reset() {
        rows = 0;
        high = 0;
        low = 0;
    }
}
