package io.weir.ledger.dispatch;

import io.weir.core.ledger.Delivery;
import io.weir.core.run.Dispatch;

import java.time.Duration;
import java.time.Instant;

/** Everything that anybody can ask of a row of the outbox. */
public sealed interface DispatchCommand {
    /** A dispatcher wants to deliver it. */
    record Lease(Duration lease) implements DispatchCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.lease(this);
        }
    }

    /**
     * A delivery came to an end.
     *
     * @param leased the row as its lease answered it: attempts and end of the lease name the
     *     delivery
     */
    record Settle(Dispatch leased, Delivery delivery, DispatchRules rules)
            implements DispatchCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.settle(this);
        }
    }

    /** The receiver took it and gave no sign since. */
    record Overdue(DispatchRules rules) implements DispatchCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.overdue(this);
        }
    }

    /** The receiver started the step. */
    record Acknowledge() implements DispatchCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.acknowledge(this);
        }
    }

    /** An operator says that the cause is gone. */
    record Resend() implements DispatchCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.resend(this);
        }
    }

    /** The run ended or moved on without it. */
    record Cancel() implements DispatchCommand {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.cancel(this);
        }
    }

    /** One method per command, so that none is forgotten. */
    interface Visitor<R> {
        R lease(Lease command);

        R settle(Settle command);

        R overdue(Overdue command);

        R acknowledge(Acknowledge command);

        R resend(Resend command);

        R cancel(Cancel command);
    }

    /**
     * How often and how soon.
     *
     * @param attemptsMax deliveries before the row is DEAD
     * @param backoffMin pause after the first failed delivery; doubles with each
     * @param backoffMax longest pause
     * @param ackTimeout how long a receiver may take to start the step
     */
    record DispatchRules(
            int attemptsMax, Duration backoffMin, Duration backoffMax, Duration ackTimeout) {
        private static final int DOUBLINGS_MAX = 30;

        /** When the next delivery is due after so many failed ones. */
        public Instant retryAt(Instant now, int failures) {
            int doublings = Math.min(DOUBLINGS_MAX, Math.max(0, failures - 1));
            Duration pause = backoffMin.multipliedBy(1L << doublings);
            return now.plus(pause.compareTo(backoffMax) > 0 ? backoffMax : pause);
        }
    }

    <R> R accept(Visitor<R> visitor);
}
