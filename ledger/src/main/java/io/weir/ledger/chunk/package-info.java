/**
 * Chunks: what a report may say, when a partition is whole, and the rows. A chunk counts once;
 * only chunks of the current epoch of a partition count at all.
 */
@NullMarked
package io.weir.ledger.chunk;

import org.jspecify.annotations.NullMarked;
