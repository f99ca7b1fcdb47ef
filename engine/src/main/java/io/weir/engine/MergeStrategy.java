package io.weir.engine;

import java.util.Locale;

/** How a window finds the rows that it takes out of a table. */
public enum MergeStrategy {
    /** By the digest of the row; every change must tell the whole row before it. */
    ROW_HASH,
    /** By the key; the last change counts, and whether the row was there is checked. */
    PRIMARY_KEY;

    /** As job files write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
