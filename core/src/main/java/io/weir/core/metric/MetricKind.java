package io.weir.core.metric;

/** What is measured; of one column unless said otherwise. */
public enum MetricKind {
    /** Rows of the set. */
    ROW_COUNT,
    NULL_COUNT,
    /** Smallest value that is not NULL; no value for an empty set. */
    MIN,
    MAX,
    /** Exact sum; for booleans the number of true values. */
    SUM,
    /** Bytes of all values: UTF-8 of text and JSON, octets of binary. */
    BYTES,
    /** Rows beyond the first of each key; of the set. */
    DUPLICATE_KEYS,
    /** Rows in a file of another route; of the set, and only where the target is partitioned. */
    MISPLACED_ROWS,
    /** Rows and sum of digests; of the set. */
    BALANCE
}
