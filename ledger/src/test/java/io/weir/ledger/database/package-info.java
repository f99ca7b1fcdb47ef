/** Opening the database, and what its errors mean. */
@NullMarked
package io.weir.ledger.database;

import org.jspecify.annotations.NullMarked;
