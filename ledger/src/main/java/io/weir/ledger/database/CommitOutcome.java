package io.weir.ledger.database;

/** What the server says of a transaction whose commit was sent. */
enum CommitOutcome {
    COMMITTED,
    ABORTED,
    /** The server cannot be asked, or does not remember. */
    UNKNOWN
}
