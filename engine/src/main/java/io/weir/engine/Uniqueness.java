package io.weir.engine;

/** How a window makes sure that each key has one row. */
public enum Uniqueness {
    /** The table was unique: only keys that come in are looked for. */
    INCREMENTAL,
    /** Every key of the table is counted. */
    FULL
}
