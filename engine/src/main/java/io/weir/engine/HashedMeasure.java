package io.weir.engine;

import io.weir.core.row.Balance;

import java.util.List;

/**
 * What rows hold that have their digest beside them.
 *
 * @param balance from their values
 * @param differing rows whose stored digest is another one, or missing
 */
public record HashedMeasure(Balance balance, long differing) {
    /** What all of them hold together. */
    public static HashedMeasure sum(List<HashedMeasure> measures) {
        Balance balance = Balance.ZERO;
        long differing = 0;
        for (HashedMeasure one : measures) {
            balance = balance.plus(one.balance());
            differing += one.differing();
        }
        return new HashedMeasure(balance, differing);
    }
}
