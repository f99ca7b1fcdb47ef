/** What somebody who watches the ledger sees: its own pace, and what becomes of runs. */
@NullMarked
package io.weir.ledger.watch;

import org.jspecify.annotations.NullMarked;
