package io.weir.ledger.books;

import io.weir.core.run.SnapshotHolder;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * What is known of a move that was applied.
 *
 * @param at the time of its event; the lease was counted from then
 * @param holder of the run, the one with the longest lease; null if there is none
 */
public record Advanced(Instant at, @Nullable SnapshotHolder holder) {}
