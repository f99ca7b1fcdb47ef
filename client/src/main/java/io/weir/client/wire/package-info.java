/**
 * The calls of the ledger as data, and the documents that carry them: one table that client and
 * server both read.
 */
@NullMarked
package io.weir.client.wire;

import org.jspecify.annotations.NullMarked;
