package io.weir.core.row;

import java.util.Arrays;

/** Positions of rows in one file, counted from 0, ascending, each once. */
public final class RowPositions {
    public static final RowPositions NONE = new RowPositions(new long[0]);

    private final long[] positions;

    private RowPositions(long[] positions) {
        this.positions = positions;
    }

    /**
     * Takes positions in any order.
     *
     * @throws IllegalArgumentException if one comes twice or is negative
     */
    public static RowPositions of(long... positions) {
        long[] sorted = positions.clone();
        Arrays.sort(sorted);
        for (int i = 0; i < sorted.length; i++) {
            if (sorted[i] < 0 || (i > 0 && sorted[i] == sorted[i - 1])) {
                throw new IllegalArgumentException("Invalid position " + sorted[i]);
            }
        }
        return sorted.length == 0 ? NONE : new RowPositions(sorted);
    }

    public int size() {
        return positions.length;
    }

    public boolean isEmpty() {
        return positions.length == 0;
    }

    /** The position of this rank, from 0. */
    public long get(int rank) {
        return positions[rank];
    }

    public boolean contains(long position) {
        return Arrays.binarySearch(positions, position) >= 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowPositions that && Arrays.equals(positions, that.positions);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(positions);
    }

    /** How many, and the first ones. */
    @Override
    public String toString() {
        long[] first = Arrays.copyOf(positions, Math.min(positions.length, 10));
        return positions.length + " from " + Arrays.toString(first);
    }
}
