/** What flows of others name. */
@NullMarked
package io.weir.ledger.outside;

import org.jspecify.annotations.NullMarked;
