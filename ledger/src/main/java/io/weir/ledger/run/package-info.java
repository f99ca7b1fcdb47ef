/**
 * Runs: the pure machine, and the row. A run is moved only under its row lock, by one guarded
 * update; whoever ends it closes its open partitions, staged attempts and rows of the outbox in the
 * same transaction.
 *
 * <p>Failure: a run whose coordinator or whose owner of a step is gone is found by the end of its
 * lease, at the next sweep, or when the same job and business key are run again.
 */
@NullMarked
package io.weir.ledger.run;

import org.jspecify.annotations.NullMarked;
