package io.weir.ledger.replica;

/**
 * A place in the log of a source.
 *
 * @param place as a number that grows along the log
 * @param position as the source writes it, such as {@code 0/16B3748}
 */
public record LogPlace(long place, String position) {
    /** Before everything. */
    public static final LogPlace START = new LogPlace(0, "0/0");
}
