package io.weir.core.run;

/** How far an open transaction of a streaming connection is, as the ledger knows it. */
public enum StreamState {
    /** Takes records. */
    OPEN,
    /** Its commit is on its way: whether it happened is for the table to say. */
    COMMITTING,
    /** Somebody else ended it; its connection commits nothing of it. */
    ABORTED,
    /** No sign came in time; its connection commits nothing of it. */
    EXPIRED;

    /** Whether its connection may go on with it. */
    public boolean isAlive() {
        return this == OPEN || this == COMMITTING;
    }
}
