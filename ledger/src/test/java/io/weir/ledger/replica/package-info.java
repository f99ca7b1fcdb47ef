@NullMarked
package io.weir.ledger.replica;

import org.jspecify.annotations.NullMarked;
