package io.weir.testkit.ledger;

import io.weir.core.run.RunId;

import java.time.Instant;
import java.util.Set;

/**
 * What other transactions do to one. A database decides this by chance; whoever owns the chance
 * decides it here. Everything is allowed that READ COMMITTED and row locks allow.
 */
public interface Interference {
    /** Nobody else is there. */
    Interference NONE = new Interference() {};

    /** Before a transaction begins: others may run whole transactions of their own. */
    default void before(String action) {}

    /** Whether the transaction is chosen as the victim of a deadlock: undone and run again. */
    default boolean isVictim(String action) {
        return false;
    }

    /** Whether a row that is skipped when it is locked is locked. */
    default boolean isLocked() {
        return false;
    }

    /** Whether a row committed at a time is younger than the statement that looks for it. */
    default boolean isTooYoung(Instant committedAt) {
        return false;
    }

    /** Whether the commit is lost although it was answered; never, but for what is wrong. */
    default boolean isForgotten() {
        return false;
    }

    /**
     * After a transaction was committed.
     *
     * @param runs those whose rows it wrote
     */
    default void committed(Set<RunId> runs) {}
}
