/**
 * The ledger port: calls that may arrive more than once, state changes that happen at most once.
 *
 * <p>Implemented in process by the ledger module. A reply states what the ledger holds after the
 * call, whether or not this call made the change.
 */
@NullMarked
package io.weir.core.ledger;

import org.jspecify.annotations.NullMarked;
