package io.weir.ledger.replica;

/** Whether a job may be replicated. */
public enum ReplicationState {
    RUNNING,
    /** A person wants it to rest; its slot goes on to keep the log. */
    PAUSED
}
