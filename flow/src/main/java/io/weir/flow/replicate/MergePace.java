package io.weir.flow.replicate;

/**
 * How many merges may run at once: half as many after one ran out of memory, one more after some
 * rounds that went well. Pure.
 *
 * @param limit at most so many, at least 1
 * @param good rounds in a row since the limit changed in which none did
 */
record MergePace(int limit, int good) {
    /** So many good rounds allow one more. */
    static final int GOOD_ROUNDS = 3;

    static MergePace begin(int most) {
        return new MergePace(Math.max(1, most), 0);
    }

    /**
     * The pace after a round.
     *
     * @param atOnce how many merges ran at once in it
     * @param exceeded whether one of them ran out of memory
     * @param most the limit never grows beyond this
     */
    MergePace after(int atOnce, boolean exceeded, int most) {
        if (exceeded) {
            return new MergePace(Math.max(1, Math.min(limit, atOnce) / 2), 0);
        }
        if (limit >= most) {
            return this;
        }
        return good + 1 < GOOD_ROUNDS
                ? new MergePace(limit, good + 1)
                : new MergePace(limit + 1, 0);
    }
}
