package io.weir.ingest.row;

/** A row belongs to a partition that would be one too many for a transaction; it was not taken. */
public final class RouteLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RouteLimitException(int routes) {
        super("its rows belong to too many partitions (partitions=" + routes + ")");
    }
}
