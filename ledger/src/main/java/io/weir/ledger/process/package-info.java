/**
 * Processes as the books know them: who keeps a snapshot alive, who gave a sign, who runs a loop.
 * Signs of life only: they decide nothing but whose turn it is.
 */
@NullMarked
package io.weir.ledger.process;

import org.jspecify.annotations.NullMarked;
