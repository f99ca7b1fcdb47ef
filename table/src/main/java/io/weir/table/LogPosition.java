package io.weir.table;

/**
 * Up to where a change log holds every change.
 *
 * @param place of the last transaction in the log, as a number; 0 before the first one
 * @param text the same as the source writes it; empty before the first one
 */
public record LogPosition(long place, String text) {
    public static final LogPosition NONE = new LogPosition(0, "");
}
