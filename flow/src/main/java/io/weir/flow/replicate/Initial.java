package io.weir.flow.replicate;

import java.util.Locale;

/** Where the rows come from that a replicated table begins with. */
public enum Initial {
    /** Of the source, at the very place where the slot begins. */
    SNAPSHOT,
    /** Of the log alone: the table at the source is empty when the slot is created. */
    LOG_ONLY,
    /** Of the target, which holds them already, as they were at a known place. */
    FROM_TABLE;

    /** As job files write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
