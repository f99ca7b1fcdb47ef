/**
 * Partitions: the pure machine, and the row. The epoch of a partition grows with every claim and
 * fences the claims before it.
 *
 * <p>While a partition is PENDING, RETRY or RUNNING its run is EXTRACTING, because whoever ends a
 * run closes its partitions in the same transaction. So the lock of the partition is enough for
 * claims, heartbeats and all reports but the one that completes it.
 *
 * <p>Failure: a worker that gives no sign loses its claim to the next one who asks; its files stay
 * under the path of an old epoch, where nobody reads.
 */
@NullMarked
package io.weir.ledger.partition;

import org.jspecify.annotations.NullMarked;
