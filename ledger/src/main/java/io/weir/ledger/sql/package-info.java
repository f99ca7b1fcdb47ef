/** Columns of a row on their way into and out of PostgreSQL; knows no table. */
@NullMarked
package io.weir.ledger.sql;

import org.jspecify.annotations.NullMarked;
