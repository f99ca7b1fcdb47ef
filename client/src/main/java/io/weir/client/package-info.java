/** The ledger as another process serves it: asks over HTTP, decides nothing. */
@NullMarked
package io.weir.client;

import org.jspecify.annotations.NullMarked;
