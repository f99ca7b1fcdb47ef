/**
 * One transaction of the books: its stores, its clock, its ids, and how a decision gets into them.
 * Knows no database; {@code ledger.database} is the one that lasts.
 *
 * <p>A new table is an interface next to its row, a class of its columns, an accessor in {@link
 * io.weir.ledger.books.Stores}, and a class with its SQL in {@code ledger.database}.
 */
@NullMarked
package io.weir.ledger.books;

import org.jspecify.annotations.NullMarked;
