/**
 * The PostgreSQL behind the ledger: connections, migrations, transactions and what its errors mean.
 *
 * <p>Failure: a deadlock or serialization failure re-runs the whole transaction, up to three times;
 * that is safe because every call of the ledger may be repeated.
 */
@NullMarked
package io.weir.ledger.database;

import org.jspecify.annotations.NullMarked;
