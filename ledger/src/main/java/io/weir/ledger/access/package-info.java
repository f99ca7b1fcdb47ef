/** Who may call the API, and the journal of what was done: tokens and chained entries. */
@NullMarked
package io.weir.ledger.access;

import org.jspecify.annotations.NullMarked;
