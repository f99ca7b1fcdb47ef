package io.weir.core.publish;

/** What the owner of an attempt knows after trying. */
public enum PublishOutcome {
    PUBLISHED,
    /** Proven not to have happened, and not tried again. */
    FAILED,
    /** Proven not to have happened; to be tried again. */
    ABSENT,
    /** Anything else. */
    UNKNOWN
}
