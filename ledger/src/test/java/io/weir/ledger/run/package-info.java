/** The run machine, state by command. */
@NullMarked
package io.weir.ledger.run;

import org.jspecify.annotations.NullMarked;
