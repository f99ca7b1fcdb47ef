package io.weir.ledger.decision;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;

import java.util.function.Function;

/**
 * The answer of a machine to a command. Machines read no clock and touch no row; whoever asks holds
 * the row lock and applies the answer.
 */
public sealed interface Decision<T> {
    /**
     * The row changes.
     *
     * @param next the row after, its version one higher
     * @param event past tense
     */
    record Move<T>(T next, String event) implements Decision<T> {
        @Override
        public <R> R match(Cases<T, R> cases) {
            return cases.onMove().apply(this);
        }
    }

    /** Only signs of life change: no event, the same version. */
    record Renew<T>(T next) implements Decision<T> {
        @Override
        public <R> R match(Cases<T, R> cases) {
            return cases.onRenew().apply(this);
        }
    }

    /** The command was carried out before; the row says what came of it. */
    record AlreadyDone<T>(T row) implements Decision<T> {
        @Override
        public <R> R match(Cases<T, R> cases) {
            return cases.onAlreadyDone().apply(this);
        }
    }

    /** The command must not be carried out. */
    record Refuse<T>(ErrorCode code, String message) implements Decision<T> {
        @Override
        public <R> R match(Cases<T, R> cases) {
            return cases.onRefuse().apply(this);
        }

        public WeirException exception() {
            return new WeirException(code, message);
        }
    }

    /** One function per kind of answer, so that none is forgotten. */
    record Cases<T, R>(
            Function<Move<T>, R> onMove,
            Function<Renew<T>, R> onRenew,
            Function<AlreadyDone<T>, R> onAlreadyDone,
            Function<Refuse<T>, R> onRefuse) {}

    <R> R match(Cases<T, R> cases);

    /** Whether the command was refused. */
    default boolean isRefused() {
        return match(new Cases<T, Boolean>(m -> false, r -> false, a -> false, r -> true));
    }

    /**
     * The row after the command.
     *
     * @throws WeirException if it was refused
     */
    default T rowOrThrow() {
        return match(new Cases<T, T>(Move::next, Renew::next, AlreadyDone::row, refuse -> {
            throw refuse.exception();
        }));
    }
}
