/**
 * The PostgreSQL behind the ledger: connections, migrations, transactions, one store per table with
 * its SQL, and what errors mean. Nothing else of the books knows a database.
 *
 * <p>Failure: a deadlock or serialization failure re-runs the whole transaction, up to three times;
 * that is safe because every call of the ledger may be repeated.
 */
@NullMarked
package io.weir.ledger.database;

import org.jspecify.annotations.NullMarked;
