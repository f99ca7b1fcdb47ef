/** Chunks in events. */
@NullMarked
package io.weir.ledger.chunk;

import org.jspecify.annotations.NullMarked;
