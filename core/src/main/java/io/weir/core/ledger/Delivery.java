package io.weir.core.ledger;

/**
 * What came of delivering a row of the outbox.
 *
 * @param reason for people; empty if it was accepted
 */
public record Delivery(Outcome outcome, String reason) {
    /** The receiver took it. */
    public static final Delivery ACCEPTED = new Delivery(Outcome.ACCEPTED, "");

    /** Worth another try later. */
    public static Delivery postponed(String reason) {
        return new Delivery(Outcome.POSTPONED, reason);
    }

    /** This receiver cannot do it, ever; it counts as no attempt, others may. */
    public static Delivery declined(String reason) {
        return new Delivery(Outcome.DECLINED, reason);
    }

    /** Nobody will ever take it. */
    public static Delivery refused(String reason) {
        return new Delivery(Outcome.REFUSED, reason);
    }

    /** Which of the four. */
    public enum Outcome {
        ACCEPTED,
        POSTPONED,
        DECLINED,
        REFUSED
    }
}
