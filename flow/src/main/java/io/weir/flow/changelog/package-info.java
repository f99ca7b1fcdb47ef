/**
 * Change logs: every change of a table, once, in an append-only table. Transactions of any size
 * pass through files on the local disk, because where a transaction ends is known only at its end.
 */
@NullMarked
package io.weir.flow.changelog;

import org.jspecify.annotations.NullMarked;
