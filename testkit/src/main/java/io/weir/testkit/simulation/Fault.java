package io.weir.testkit.simulation;

/** What can go wrong, and how often at most, for each occasion. */
enum Fault {
    REQUEST_LOST(0.06),
    REPLY_LOST(0.06),
    MESSAGE_TWICE(0.05),
    MESSAGE_SLOW(0.03),
    /** Whole transactions of others between two of one call. */
    OTHERS_FIRST(0.10),
    /** The same for as long as a paused process. */
    OTHERS_LONG_FIRST(0.01),
    DEADLOCK(0.03),
    ROW_LOCKED(0.05),
    ROW_YOUNG(1.0),
    PROCESS_KILLED(0.6),
    PROCESS_PAUSED(0.9),
    COMMIT_SLOW(0.15),
    COMMIT_LOST(0.15),
    COMMIT_REPLY_LOST(0.15),
    CATALOG_DOWN(0.08),
    TABLE_TOUCHED(0.5),
    /** The session at the source breaks under a worker. */
    SOURCE_BROKEN(0.04),
    FILE_DAMAGED(0.01),
    FILE_GONE(0.005),
    CLOCK_JUMPS(0.15),
    PARTITION_POISONED(0.10),
    STEP_POISONED(0.10),
    STEP_POSTPONED(0.15),
    STEP_DECLINED(0.15),
    STEP_REFUSED(0.01),
    /** A worker asks for the verdict before it measured. */
    HASTY_VERDICT(0.3),
    SCHEDULED_TWICE(1.0),
    CANCELLED_BY_PERSON(0.3);

    private final double most;

    Fault(double most) {
        this.most = most;
    }

    double most() {
        return most;
    }
}
