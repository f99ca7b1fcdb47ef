package io.weir.ledger.outside;

import java.util.function.Function;

/** Runs work on the tables of outside runs; the work may run again after a lost race. */
public interface OutsideTransactions {
    /**
     * READ COMMITTED; what the work throws undoes the transaction and is thrown on.
     *
     * @param action for messages, such as {@code claim partition 0001 of run …}
     */
    <T> T run(String action, Function<OutsideBooks, T> work);
}
