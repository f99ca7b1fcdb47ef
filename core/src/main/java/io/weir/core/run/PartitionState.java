package io.weir.core.run;

/** The states of a partition. */
public enum PartitionState {
    /** Registered; a claim moves it on. */
    PENDING,
    /** Claimed under a lease; its reports, its failure or the end of the lease move it on. */
    RUNNING,
    /** Given back after a lost lease; the next claim moves it on. */
    RETRY,
    SUCCESS,
    FAILED,
    /** Closed because the run ended first. */
    TIMED_OUT;

    public boolean isTerminal() {
        return this == SUCCESS || this == FAILED || this == TIMED_OUT;
    }

    public boolean isClaimable() {
        return this == PENDING || this == RETRY;
    }
}
