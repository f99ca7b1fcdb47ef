/**
 * The flows. They know the ledger, sources, tables and the engine and bring them together; they
 * hold no SQL and no HTTP. What a step decides is decided by the ledger; a flow asks, does and
 * reports.
 */
@NullMarked
package io.weir.flow;

import org.jspecify.annotations.NullMarked;
