/**
 * Metrics: what is expected of a run, how the ledger judges what was measured, and the rows.
 * Verdicts are equality of texts, computed here and checked again by a constraint of the table.
 */
@NullMarked
package io.weir.ledger.metric;

import org.jspecify.annotations.NullMarked;
