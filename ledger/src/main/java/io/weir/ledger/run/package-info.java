/**
 * Runs: the pure machine, and the row. A run is moved only under its row lock, by one guarded
 * update; whoever ends it closes its open partitions and staged attempts in the same transaction.
 *
 * <p>Failure: a run whose coordinator is gone is found by the end of its lease, when the same job
 * and business key are run again.
 */
@NullMarked
package io.weir.ledger.run;

import org.jspecify.annotations.NullMarked;
