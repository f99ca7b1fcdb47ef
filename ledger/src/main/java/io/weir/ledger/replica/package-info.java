/**
 * The books of replication: who replicates a job, how far each of its tables is, the windows that
 * brought it there, the cuts over all tables, and every change of these as an event.
 */
@NullMarked
package io.weir.ledger.replica;

import org.jspecify.annotations.NullMarked;
