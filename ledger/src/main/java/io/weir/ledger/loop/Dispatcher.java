package io.weir.ledger.loop;

import io.weir.core.error.WeirException;
import io.weir.core.ledger.Delivery;
import io.weir.core.ledger.Outbox;
import io.weir.core.run.Dispatch;

import java.util.List;

/** Delivers due rows of the outbox to one receiver. */
public final class Dispatcher {
    private static final int BATCH = 10;

    private final Outbox outbox;
    private final Receiver receiver;

    public Dispatcher(Outbox outbox, Receiver receiver) {
        this.outbox = outbox;
        this.receiver = receiver;
    }

    /**
     * Delivers what is due now.
     *
     * @return how many rows
     * @throws WeirException if the outbox cannot be reached
     */
    public int deliverDue() {
        List<Dispatch> due = outbox.leaseDispatches(BATCH);
        for (Dispatch dispatch : due) {
            outbox.settleDispatch(dispatch, deliver(dispatch));
        }
        return due.size();
    }

    private Delivery deliver(Dispatch dispatch) {
        try {
            return receiver.deliver(dispatch);
        } catch (WeirException e) {
            return Delivery.postponed(e.text());
        }
    }
}
