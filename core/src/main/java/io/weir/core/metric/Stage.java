package io.weir.core.metric;

/** Where a metric was measured. */
public enum Stage {
    /** The source, at the snapshot of the run. */
    SOURCE,
    /** The staged files. */
    STAGING,
    /** The published table, read back through the catalog. */
    TARGET
}
