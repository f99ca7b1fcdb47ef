/** The partition machine, state by command. */
@NullMarked
package io.weir.ledger.partition;

import org.jspecify.annotations.NullMarked;
