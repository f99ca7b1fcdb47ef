package io.weir.ledger.dispatch;

import io.weir.core.error.ErrorCode;
import io.weir.core.ledger.Delivery;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.decision.Decision.AlreadyDone;
import io.weir.ledger.decision.Decision.Move;
import io.weir.ledger.decision.Decision.Refuse;
import io.weir.ledger.dispatch.DispatchCommand.DispatchRules;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Which command moves a row of the outbox from which state to which. Pure: no clock. */
public final class DispatchMachine {
    private DispatchMachine() {}

    /**
     * Decides one command.
     *
     * @param now the database's time, read while the row was locked
     */
    public static Decision<Dispatch> decide(Dispatch row, DispatchCommand command, Instant now) {
        return command.accept(new Rules(row, now));
    }

    private static final class Rules implements DispatchCommand.Visitor<Decision<Dispatch>> {
        private final Dispatch row;
        private final Instant now;

        Rules(Dispatch row, Instant now) {
            this.row = row;
            this.now = now;
        }

        @Override
        public Decision<Dispatch> lease(DispatchCommand.Lease command) {
            if (row.state() != DispatchState.PENDING || now.isBefore(row.dueAt())) {
                return mismatch("deliver");
            }
            return new Move<>(
                    edited(
                            DispatchState.PENDING,
                            row.attempts() + 1,
                            now.plus(command.lease()),
                            null,
                            row.lastError()),
                    "DISPATCH_LEASED");
        }

        @Override
        public Decision<Dispatch> settle(DispatchCommand.Settle command) {
            if (row.state() != DispatchState.PENDING || !isUnderWay(command.leased())) {
                // The step was started, or this delivery was settled or lost its lease before.
                return new AlreadyDone<>(row);
            }
            Delivery delivery = command.delivery();
            return switch (delivery.outcome()) {
                case ACCEPTED ->
                    new Move<>(
                            edited(DispatchState.SENT, row.attempts(), row.dueAt(), now, null),
                            "DISPATCH_SENT");
                case POSTPONED -> failed(command.rules(), delivery.reason());
                // Another process may take it: that this one cannot is no failure of the step.
                case DECLINED ->
                    new Move<>(
                            edited(
                                    DispatchState.PENDING,
                                    row.attempts() - 1,
                                    now.plus(command.rules().backoffMin()),
                                    null,
                                    delivery.reason()),
                            "DISPATCH_DECLINED");
                case REFUSED ->
                    new Move<>(
                            edited(
                                    DispatchState.DEAD,
                                    row.attempts(),
                                    row.dueAt(),
                                    null,
                                    delivery.reason()),
                            "DISPATCH_DEAD");
            };
        }

        /** Attempts alone do not tell: a declined delivery gives its number back. */
        private boolean isUnderWay(Dispatch leased) {
            return row.attempts() > 0
                    && row.attempts() == leased.attempts()
                    && row.dueAt().equals(leased.dueAt());
        }

        @Override
        public Decision<Dispatch> overdue(DispatchCommand.Overdue command) {
            Instant sentAt = row.sentAt();
            if (row.state() != DispatchState.SENT
                    || sentAt == null
                    || now.isBefore(sentAt.plus(command.rules().ackTimeout()))) {
                return mismatch("send again");
            }
            return failed(command.rules(), "taken at " + sentAt + ", but never started");
        }

        private Decision<Dispatch> failed(DispatchRules rules, String reason) {
            boolean dead = row.attempts() >= rules.attemptsMax();
            return new Move<>(
                    edited(
                            dead ? DispatchState.DEAD : DispatchState.PENDING,
                            row.attempts(),
                            dead ? row.dueAt() : rules.retryAt(now, row.attempts()),
                            null,
                            reason),
                    dead ? "DISPATCH_DEAD" : "DISPATCH_POSTPONED");
        }

        @Override
        public Decision<Dispatch> acknowledge(DispatchCommand.Acknowledge command) {
            return switch (row.state()) {
                // Starting the step is the proof that it arrived, whatever the row says.
                case PENDING, SENT, DEAD ->
                    new Move<>(
                            new Dispatch(
                                    row.id(),
                                    row.runId(),
                                    row.kind(),
                                    row.cycle(),
                                    DispatchState.ACKED,
                                    row.attempts(),
                                    row.createdAt(),
                                    row.dueAt(),
                                    row.sentAt(),
                                    now,
                                    row.lastError()),
                            "DISPATCH_ACKNOWLEDGED");
                case ACKED, CANCELLED -> new AlreadyDone<>(row);
            };
        }

        @Override
        public Decision<Dispatch> resend(DispatchCommand.Resend command) {
            return row.state() == DispatchState.DEAD
                    ? new Move<>(
                            edited(DispatchState.PENDING, 0, now, null, row.lastError()),
                            "DISPATCH_RESENT")
                    : mismatch("send again");
        }

        @Override
        public Decision<Dispatch> cancel(DispatchCommand.Cancel command) {
            return row.state().isOpen()
                    ? new Move<>(
                            edited(
                                    DispatchState.CANCELLED,
                                    row.attempts(),
                                    row.dueAt(),
                                    row.sentAt(),
                                    row.lastError()),
                            "DISPATCH_CANCELLED")
                    : new AlreadyDone<>(row);
        }

        private Dispatch edited(
                DispatchState state,
                int attempts,
                Instant dueAt,
                @Nullable Instant sentAt,
                @Nullable String lastError) {
            return new Dispatch(
                    row.id(),
                    row.runId(),
                    row.kind(),
                    row.cycle(),
                    state,
                    attempts,
                    row.createdAt(),
                    dueAt,
                    sentAt,
                    null,
                    lastError);
        }

        private Decision<Dispatch> mismatch(String action) {
            return new Refuse<>(
                    ErrorCode.RUN_STATE_MISMATCH,
                    "Cannot " + action + " dispatch " + row.id() + " of run " + row.runId()
                            + ": it is in another state (kind=" + row.kind() + ", state="
                            + row.state() + ", due at=" + row.dueAt() + ")");
        }
    }
}
