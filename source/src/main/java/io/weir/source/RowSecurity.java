package io.weir.source;

/** What row-level security does to the user of the source. */
public enum RowSecurity {
    /** The table has none. */
    NONE,
    /** The table has policies, but this user sees every row. */
    BYPASSED,
    /** Policies would hide rows from this user: the table is refused. */
    HIDES_ROWS
}
