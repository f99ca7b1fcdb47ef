package io.weir.core.row;

import net.openhft.hashing.LongTupleHashFunction;

/**
 * The digest of one row: XXH3-128 with seed 0 over its canonical bytes, the top bit cleared,
 * because some readers compare such values as signed. It guards against accidents, not against
 * forgery. One object serves millions of rows; it is not thread-safe.
 */
public final class RowDigest {
    /** Version of the digest format, kept by every table as {@code weir.digest}. */
    public static final int VERSION = 1;

    private static final LongTupleHashFunction XXH3 = LongTupleHashFunction.xx128();
    private static final long TOP_BIT_CLEARED = Long.MAX_VALUE;

    private final long[] halves = new long[2];

    /** Computes the digest of the row; {@link #high()} and {@link #low()} hold it afterwards. */
    public void compute(CanonicalRow row) {
        XXH3.hashBytes(row.buffer(), row.start(), row.length(), halves);
    }

    /** The upper 64 bits; never negative. */
    public long high() {
        return halves[1] & TOP_BIT_CLEARED;
    }

    /** The lower 64 bits. */
    public long low() {
        return halves[0];
    }
}
