package io.weir.ledger.loop;

import io.weir.core.ledger.Delivery;
import io.weir.core.run.Dispatch;

/** Who does the steps that the outbox asks for: this process, or one behind an address. */
public interface Receiver {
    /**
     * Hands a step over; returns once it was taken or not, before it is done. The same dispatch may
     * come again.
     */
    Delivery deliver(Dispatch dispatch);
}
