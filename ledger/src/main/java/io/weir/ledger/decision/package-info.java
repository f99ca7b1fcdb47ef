/** What a machine says: the one shape of answer that all machines share. */
@NullMarked
package io.weir.ledger.decision;

import org.jspecify.annotations.NullMarked;
