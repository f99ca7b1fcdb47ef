package io.weir.ingest.record;

/** What happens to a record that has columns which the table does not have. */
public enum ExtraColumns {
    REJECT,
    /** They are left out, and nobody is told. */
    DROP
}
