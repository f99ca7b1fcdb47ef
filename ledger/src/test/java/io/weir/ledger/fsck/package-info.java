/** Tests of the package of the same name. */
@NullMarked
package io.weir.ledger.fsck;

import org.jspecify.annotations.NullMarked;
