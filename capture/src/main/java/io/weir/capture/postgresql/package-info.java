/**
 * PostgreSQL 14 and newer through logical replication (pgoutput) and Debezium's embedded engine.
 *
 * <p>Only the ends of transactions are confirmed: a position inside of one would lose the second
 * half of a changed key. No position is kept besides the slot's own; the first transaction after
 * the confirmed one comes again from its beginning.
 */
@NullMarked
package io.weir.capture.postgresql;

import org.jspecify.annotations.NullMarked;
