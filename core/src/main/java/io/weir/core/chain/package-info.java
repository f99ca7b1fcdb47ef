/**
 * State chains: whether the changes of one key follow each other without a gap. Pure; it knows
 * digests of rows, no values.
 */
@NullMarked
package io.weir.core.chain;

import org.jspecify.annotations.NullMarked;
