package io.weir.ingest.record;

/** What happens to a record that has fewer columns than the table. */
public enum MissingColumns {
    REJECT,
    /** The columns that are missing at the end, or by name, are NULL. */
    NULL
}
