package io.weir.engine;

import io.weir.core.row.Balance;

/**
 * What rows hold that have their digest beside them.
 *
 * @param balance from their values
 * @param differing rows whose stored digest is another one, or missing
 */
public record HashedMeasure(Balance balance, long differing) {}
