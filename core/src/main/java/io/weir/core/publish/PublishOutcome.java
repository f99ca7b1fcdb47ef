package io.weir.core.publish;

/** What the owner of an attempt knows after trying. */
public enum PublishOutcome {
    PUBLISHED,
    /** Proven not to have happened. */
    FAILED,
    /** Anything else. */
    UNKNOWN
}
