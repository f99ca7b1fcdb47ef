/** The ledger's own port over HTTP, for workers and people who come without its database. */
@NullMarked
package io.weir.server.ledger;

import org.jspecify.annotations.NullMarked;
