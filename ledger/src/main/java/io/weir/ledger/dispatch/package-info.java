/** The outbox: rows that ask for the next step of a run, written together with its reason. */
@NullMarked
package io.weir.ledger.dispatch;

import org.jspecify.annotations.NullMarked;
