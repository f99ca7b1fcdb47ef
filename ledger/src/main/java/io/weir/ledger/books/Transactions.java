package io.weir.ledger.books;

import java.util.function.Function;

/**
 * Runs work in one transaction. What the work throws undoes the transaction and is thrown on.
 *
 * <p>The work runs again, three times in all, if it lost a race: two transactions waited for each
 * other, or a constraint that {@link Constraint#isRetried} kept a row out. So it must not change
 * anything but the books. If it loses every time, the last error is thrown with its code.
 */
public interface Transactions {
    /**
     * READ COMMITTED: every statement sees what was committed before it, so what is read after a
     * row lock is the truth as long as the lock is held.
     *
     * @param action for messages, such as {@code report chunks of run …}
     * @throws io.weir.core.error.WeirException LEDGER_UNREACHABLE, LEDGER_INVARIANT, and what
     *     {@link Constraint} says
     */
    <T> T run(String action, Function<Books, T> work);

    /** All reads of the work see one state of the books. */
    <T> T read(String action, Function<Books, T> work);
}
