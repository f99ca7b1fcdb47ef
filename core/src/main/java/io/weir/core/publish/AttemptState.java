package io.weir.core.publish;

/** The states of a publish attempt. At most one attempt per target is OPEN or UNKNOWN. */
public enum AttemptState {
    /** Files are staged on a branch of their own; readers see nothing. */
    STAGED,
    /** Its owner may commit to the target. */
    OPEN,
    /** Proven: the target shows it. */
    PUBLISHED,
    /** Proven: the target does not show it and never will. */
    FAILED,
    /** The commit was sent and its reply is missing. */
    UNKNOWN
}
