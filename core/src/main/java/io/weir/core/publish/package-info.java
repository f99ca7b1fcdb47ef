/** Publishing as ledger facts: modes, attempts, outcomes. */
@NullMarked
package io.weir.core.publish;

import org.jspecify.annotations.NullMarked;
