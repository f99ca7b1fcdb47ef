/**
 * Loops that run in every worker and server: deliver the outbox, sweep, give signs of life. Each is
 * a step that does what is due and returns; threads only repeat it, so that a simulator can.
 *
 * <p>Failure: a step that fails is logged and repeated at its next turn; what it leased is free
 * again once the lease is over.
 */
@NullMarked
package io.weir.ledger.loop;

import org.jspecify.annotations.NullMarked;
