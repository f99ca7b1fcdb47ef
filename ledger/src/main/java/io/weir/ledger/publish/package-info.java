/**
 * Publish attempts: the pure machine, the rows per target, and the resolver that settles an attempt
 * whose outcome nobody knows.
 *
 * <p>An attempt is identified by target and epoch; the epoch of a target only grows. The ledger
 * never talks to a target itself: whoever can fence and read one hands in a {@link
 * io.weir.ledger.publish.PublishTarget}.
 *
 * <p>Failure: an attempt that is OPEN or UNKNOWN keeps its target taken until evidence settles it.
 */
@NullMarked
package io.weir.ledger.publish;

import org.jspecify.annotations.NullMarked;
