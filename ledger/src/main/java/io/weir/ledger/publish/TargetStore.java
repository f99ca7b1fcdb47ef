package io.weir.ledger.publish;

/** The table of targets inside one transaction. */
public interface TargetStore {
    /**
     * Locks the row until the transaction ends; adds it, with epoch 0, if there is none. Publishing
     * to one target goes one after the other from here to the end of transaction.
     */
    void lock(String name);

    /** Draws the next epoch; the caller holds the lock. */
    long nextEpoch(String name);
}
