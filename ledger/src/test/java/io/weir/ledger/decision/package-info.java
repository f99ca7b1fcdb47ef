/** What the tests of all machines share. */
@NullMarked
package io.weir.ledger.decision;

import org.jspecify.annotations.NullMarked;
