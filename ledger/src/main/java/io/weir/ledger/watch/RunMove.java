package io.weir.ledger.watch;

import io.weir.core.run.RunState;
import io.weir.ledger.lineage.Untold.Books;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * A run came from one state to another.
 *
 * @param from null if it was opened
 * @param stay how long it was in the state before; null if nobody saw it come
 * @param rows that arrived so far
 * @param bytes that arrived so far
 * @param lost claims whose workers were lost so far
 */
public record RunMove(
        Books books,
        String job,
        @Nullable RunState from,
        RunState to,
        @Nullable Duration stay,
        long rows,
        long bytes,
        long lost) {}
