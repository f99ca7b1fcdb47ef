/** Measures what is published once more and compares it with the tables and the ledger. */
@NullMarked
package io.weir.flow.fsck;

import org.jspecify.annotations.NullMarked;
