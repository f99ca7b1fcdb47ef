package io.weir.ledger.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.core.ledger.Delivery;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.RunId;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.StatesDocument;
import io.weir.ledger.dispatch.DispatchCommand.DispatchRules;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

class DispatchMachineTest {
    private static final RunId RUN = new RunId(new UUID(0, 1));
    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final DispatchRules RULES = new DispatchRules(
            20, Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofMinutes(2));
    private static final Instant UNANSWERED = NOW.plus(RULES.ackTimeout());
    private static final int LAST = RULES.attemptsMax();

    @Test
    void everyPairIsDecided() throws IOException {
        StatesDocument<DispatchState, Dispatch> document = document();

        for (DispatchState state : DispatchState.values()) {
            for (String command : document.commands()) {
                boolean moves = document.moves(state, command);
                boolean isFinal = state == DispatchState.ACKED || state == DispatchState.CANCELLED;
                assertThat(moves && isFinal).as(state + " " + command).isFalse();
            }
            boolean open = document.after(state, "Cancel").isOpen();
            assertThat(open).as("stays open after the end of its run: " + state).isFalse();
        }
        document.checkPage("dispatch.md");
        document.checkMoves("dispatch");
    }

    private static StatesDocument<DispatchState, Dispatch> document() {
        StatesDocument<DispatchState, Dispatch> document = new StatesDocument<>(
                "States of a dispatch",
                "A dispatch is a row of the outbox: somebody has to do the next step of a"
                        + " run. It is delivered under a lease, as often as it takes;"
                        + " only the start of the step acknowledges it. A delivery that"
                        + " is settled after its lease ended changes nothing.",
                Arrays.asList(DispatchState.values()),
                Dispatch::state);
        document.decide(
                "Lease, not due",
                state -> decide(
                        row(state, 1, NOW.plusNanos(1000)), new DispatchCommand.Lease(LEASE)));
        document.decide(
                "Lease, due", state -> decide(row(state), new DispatchCommand.Lease(LEASE)));
        document.decide("Settle as ACCEPTED", state -> settled(row(state), Delivery.ACCEPTED));
        document.decide(
                "Settle as POSTPONED", state -> settled(row(state), Delivery.postponed("busy")));
        document.decide(
                "Settle as POSTPONED, for the last time",
                state -> settled(row(state, LAST, NOW), Delivery.postponed("busy")));
        document.decide(
                "Settle as DECLINED", state -> settled(row(state), Delivery.declined("not mine")));
        document.decide("Settle as REFUSED", state -> settled(row(state), Delivery.refused("no")));
        document.decide(
                "Settle, by an older delivery",
                state -> decide(
                        row(state, 3, NOW), settle(row(state, 2, NOW), Delivery.refused("no"))));
        document.decide(
                "Settle, by an older delivery with the same number",
                state -> decide(
                        row(state, 3, NOW),
                        settle(row(state, 3, NOW.minusSeconds(9)), Delivery.refused("no"))));
        document.decide(
                "Settle, never delivered",
                state -> settled(row(state, 0, NOW), Delivery.declined("not mine")));
        document.decide(
                "Overdue, time left",
                state -> decide(row(state), new DispatchCommand.Overdue(RULES)));
        document.decide(
                "Overdue, time over",
                state -> DispatchMachine.decide(
                        row(state), new DispatchCommand.Overdue(RULES), UNANSWERED));
        document.decide(
                "Overdue, time over for the last time",
                state -> DispatchMachine.decide(
                        row(state, LAST, NOW), new DispatchCommand.Overdue(RULES), UNANSWERED));
        document.decide(
                "Acknowledge", state -> decide(row(state), new DispatchCommand.Acknowledge()));
        document.decide("Resend", state -> decide(row(state), new DispatchCommand.Resend()));
        document.decide("Cancel", state -> decide(row(state), new DispatchCommand.Cancel()));
        return document;
    }

    @Test
    void aDeliveryCountsWhenItBegins() {
        Dispatch leased = decide(row(DispatchState.PENDING), new DispatchCommand.Lease(LEASE))
                .rowOrThrow();

        assertThat(leased.state()).isEqualTo(DispatchState.PENDING);
        assertThat(leased.attempts()).isEqualTo(2);
        assertThat(leased.dueAt()).isEqualTo(NOW.plus(LEASE));
    }

    @Test
    void pausesDoubleUpToTheLongest() {
        List<Long> pauses = IntStream.of(1, 2, 3, 4, 5, 6, 7, 19)
                .mapToObj(attempts -> settled(
                                row(DispatchState.PENDING, attempts, NOW),
                                Delivery.postponed("busy"))
                        .rowOrThrow())
                .map(row -> Duration.between(NOW, row.dueAt()).toSeconds())
                .toList();

        assertThat(pauses).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 300L, 300L);
    }

    @Test
    void aPauseNeverOverflows() {
        DispatchRules endless =
                new DispatchRules(Integer.MAX_VALUE, RULES.backoffMin(), RULES.backoffMax(), LEASE);

        assertThat(endless.retryAt(NOW, Integer.MAX_VALUE)).isEqualTo(NOW.plusSeconds(300));
        assertThat(endless.retryAt(NOW, 0)).isEqualTo(NOW.plusSeconds(5));
    }

    @Test
    void keepsWhyTheLastDeliveryFailedUntilOneSucceeds() {
        Dispatch postponed =
                settled(row(DispatchState.PENDING), Delivery.postponed("busy")).rowOrThrow();
        assertThat(postponed.lastError()).isEqualTo("busy");

        Dispatch sent = settled(postponed, Delivery.ACCEPTED).rowOrThrow();

        assertThat(sent.lastError()).isNull();
        assertThat(sent.sentAt()).isEqualTo(NOW);
        Dispatch again = DispatchMachine.decide(
                        sent, new DispatchCommand.Overdue(RULES), UNANSWERED)
                .rowOrThrow();
        assertThat(again.lastError()).isEqualTo("taken at " + NOW + ", but never started");
        assertThat(again.dueAt()).isEqualTo(UNANSWERED.plusSeconds(5));
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(again.sentAt()).isNull();
    }

    @Test
    void decliningCostsNoAttempt() {
        Dispatch declined = settled(
                        row(DispatchState.PENDING, LAST, NOW), Delivery.declined("not mine"))
                .rowOrThrow();

        assertThat(declined.state()).isEqualTo(DispatchState.PENDING);
        assertThat(declined.attempts()).isEqualTo(LAST - 1);
        assertThat(declined.dueAt()).isEqualTo(NOW.plusSeconds(5));
        assertThat(declined.lastError()).isEqualTo("not mine");
    }

    @Test
    void aResentRowHasAllItsAttemptsAgain() {
        Dispatch resent = decide(row(DispatchState.DEAD, LAST, NOW), new DispatchCommand.Resend())
                .rowOrThrow();

        assertThat(resent.attempts()).isZero();
        assertThat(resent.dueAt()).isEqualTo(NOW);
    }

    @Test
    void tellsWhyARowCannotBeSentAgain() {
        String refusal = decide(row(DispatchState.SENT), new DispatchCommand.Resend())
                .match(new Decision.Cases<Dispatch, String>(
                        move -> "moved",
                        renew -> "renewed",
                        done -> "done",
                        refuse -> refuse.code() + " " + refuse.message()));

        assertThat(refusal)
                .isEqualTo("RUN_STATE_MISMATCH Cannot send again dispatch " + new UUID(0, 2)
                        + " of run " + RUN + ": it is in another state (kind=PUBLISH_RUN,"
                        + " state=SENT, due at=" + NOW + ")");
    }

    private static Decision<Dispatch> decide(Dispatch row, DispatchCommand command) {
        return DispatchMachine.decide(row, command, NOW);
    }

    private static Decision<Dispatch> settled(Dispatch row, Delivery delivery) {
        return decide(row, settle(row, delivery));
    }

    private static DispatchCommand settle(Dispatch leased, Delivery delivery) {
        return new DispatchCommand.Settle(leased, delivery, RULES);
    }

    private static Dispatch row(DispatchState state) {
        return row(state, 1, NOW);
    }

    private static Dispatch row(DispatchState state, int attempts, Instant dueAt) {
        return new Dispatch(
                new UUID(0, 2),
                RUN,
                Dispatch.Kind.PUBLISH_RUN,
                1,
                state,
                attempts,
                NOW.minusSeconds(9),
                dueAt,
                state == DispatchState.SENT ? NOW : null,
                state == DispatchState.ACKED ? NOW : null,
                null);
    }
}
