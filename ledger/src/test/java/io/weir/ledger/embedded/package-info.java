/** The embedded server under kill, at once, idle and as root. */
@NullMarked
package io.weir.ledger.embedded;

import org.jspecify.annotations.NullMarked;
