/** The ledger on a real server: every rule with its values, at once and again. */
@NullMarked
package io.weir.ledger;

import org.jspecify.annotations.NullMarked;
