package io.weir.core.ledger;

import io.weir.core.run.Dispatch;

import java.util.List;

/**
 * The outbox as those see it who deliver its rows and look after what was left behind. Any number
 * of processes may do so at once; each row has one of them at a time.
 */
public interface Outbox {
    /**
     * Takes due rows under a lease, oldest first. Each counts an attempt; a row that is not settled
     * before its lease ends is taken again.
     *
     * @param most how many
     */
    List<Dispatch> leaseDispatches(int most);

    /** Settles a leased row. Does nothing if its step was started or it was leased again. */
    void settleDispatch(Dispatch leased, Delivery delivery);

    /**
     * Looks after everything whose lease or deadline is over, one transaction for each run. One
     * process sweeps at a time; the others return at once.
     */
    SweepReport sweep();
}
