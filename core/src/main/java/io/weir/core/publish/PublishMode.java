package io.weir.core.publish;

/** What publishing does to the rows that the target already has. */
public enum PublishMode {
    /** They stay. */
    APPEND,
    /** The rows of the run take the place of all of them. */
    REPLACE
}
