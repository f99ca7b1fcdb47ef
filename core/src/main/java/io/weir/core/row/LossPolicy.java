package io.weir.core.row;

/** What happens to a value that the target type cannot hold; every use is counted on the run. */
public enum LossPolicy {
    /** The run fails and names the row. */
    FAIL,
    /** The value becomes NULL. */
    NULL,
    /** The value becomes the nearest one that the target type holds. */
    CLAMP
}
