/** The publish machine, state by command. */
@NullMarked
package io.weir.ledger.publish;

import org.jspecify.annotations.NullMarked;
