package io.weir.flow.changelog;

/** What the keeper of change logs has just done. */
public enum LogStep {
    /** Entered files of an outside log in the books; none of their changes is in the log yet. */
    ENTERED,
    /** Read the end of a transaction. */
    READ,
    /** Written a file that is durable and in no log yet. */
    WRITTEN,
    /** Committed a file and the position of one log. */
    APPENDED,
    /** Brought all logs to the same place, which the source does not know yet. */
    KEPT,
    /** Told the source that it may forget. */
    CONFIRMED
}
