package io.weir.core.publish;

/** What publishing does to the rows that the target already has. */
public enum PublishMode {
    /** They stay. */
    APPEND,
    /** The rows of the run take the place of all of them. */
    REPLACE,
    /** They take the place of those that the business key names; all others stay. */
    REPLACE_PARTITIONS
}
