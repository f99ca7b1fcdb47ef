package io.weir.ledger.replica;

/** What a replicated table is waiting for. */
public enum ReplicaState {
    /** Its rows, all of them, at one state of the source. */
    LOADING,
    /** The next window. */
    RUNNING,
    /** The windows up to the end of its change log; then it is stopped. */
    ENDING,
    /** A person: something was found that must not be published. */
    STOPPED
}
