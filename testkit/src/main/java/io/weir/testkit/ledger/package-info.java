/**
 * The books in memory, with the constraints of the schema, and the contract that they and the books
 * in PostgreSQL are held to.
 */
@NullMarked
package io.weir.testkit.ledger;

import org.jspecify.annotations.NullMarked;
