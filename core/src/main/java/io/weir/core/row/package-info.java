/** One row as bytes that never change: columns, canonical bytes, digests and balances. */
@NullMarked
package io.weir.core.row;

import org.jspecify.annotations.NullMarked;
