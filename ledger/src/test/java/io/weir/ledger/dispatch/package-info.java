/** The dispatch machine, state by command. */
@NullMarked
package io.weir.ledger.dispatch;

import org.jspecify.annotations.NullMarked;
