package io.weir.engine;

/**
 * What one merge may use of what all have together.
 *
 * @param memoryBytes memory of its database; what needs more spills, as far as it can
 * @param threads threads of its database
 */
public record MergeShare(long memoryBytes, int threads) {
    public MergeShare {
        if (memoryBytes <= 0) {
            throw new IllegalArgumentException("Invalid memory " + memoryBytes + ": above zero");
        }
        if (threads <= 0) {
            throw new IllegalArgumentException("Invalid threads " + threads + ": above zero");
        }
    }
}
