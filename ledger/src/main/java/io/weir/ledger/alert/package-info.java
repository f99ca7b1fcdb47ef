/** What people have to be told of replication, and what was told. */
@NullMarked
package io.weir.ledger.alert;

import org.jspecify.annotations.NullMarked;
