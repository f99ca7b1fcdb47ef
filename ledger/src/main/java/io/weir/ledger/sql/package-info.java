/** Columns of a row on their way into a table and into events; knows no table and no driver. */
@NullMarked
package io.weir.ledger.sql;

import org.jspecify.annotations.NullMarked;
