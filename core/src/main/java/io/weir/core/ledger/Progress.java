package io.weir.core.ledger;

/** How far a worker is within its partition. */
public record Progress(long rows, long bytes) {}
