/**
 * The journal: one event per change, with the columns that changed, written in the transaction that
 * changed them. Folding the events in order gives the rows.
 */
@NullMarked
package io.weir.ledger.event;

import org.jspecify.annotations.NullMarked;
