package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.json.Json;
import io.weir.core.ledger.Delivery;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Operator;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Steps;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.dispatch.DispatchCommand;
import io.weir.ledger.dispatch.DispatchMachine;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunMachine;
import io.weir.ledger.run.RunRow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Delivering the rows of the outbox, and starting the steps that they ask for. */
final class Outboxes {
    private final Transactions transactions;
    private final LedgerSettings settings;

    Outboxes(Transactions transactions, LedgerSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    List<Dispatch> lease(int most) {
        return transactions.run("deliver the outbox", books -> {
            Instant now = books.now();
            List<Dispatch> leased = new ArrayList<>();
            DispatchCommand command = new DispatchCommand.Lease(settings.dispatchLease());
            for (Dispatch due : books.dispatches().lockDue(now, most)) {
                if (due.attempts() >= settings.dispatch().attemptsMax()) {
                    // Whoever takes it dies of it, or the last one did: it must not go on for ever.
                    books.apply(due, DispatchMachine.decide(due, unsettled(due), now), now);
                } else {
                    leased.add(books.apply(due, DispatchMachine.decide(due, command, now), now));
                }
            }
            return List.copyOf(leased);
        });
    }

    private DispatchCommand unsettled(Dispatch due) {
        Delivery delivery = Delivery.postponed("no delivery was settled before its lease ended");
        return new DispatchCommand.Settle(due, delivery, settings.dispatch());
    }

    void settle(Dispatch leased, Delivery delivery) {
        DispatchCommand command = new DispatchCommand.Settle(leased, delivery, settings.dispatch());
        transactions.run("settle a delivery of run " + leased.runId(), books -> {
            Dispatch row = lock(books, leased.runId(), leased.id());
            Instant now = books.now();
            return books.apply(row, DispatchMachine.decide(row, command, now), now);
        });
    }

    Dispatch resend(RunId runId, UUID dispatchId, Operator operator) {
        return transactions.run("send a dispatch of run " + runId + " again", books -> {
            Run run = books.lockRun(runId).run();
            Dispatch row = lock(books, runId, dispatchId);
            Instant now = books.now();
            DispatchCommand command = new DispatchCommand.Resend();
            Decision<Dispatch> decision = DispatchMachine.decide(row, command, now);
            if (!decision.isRefused() && !Steps.isAwaited(books, run, row)) {
                throw notAwaited(run, row);
            }
            Dispatch after = books.apply(row, decision, now);
            books.record(now, runId, null, "OPERATOR_RESENT", List.of(by(operator)));
            return after;
        });
    }

    /** Who did it and why, for the event of an action of a person. */
    static RowChange by(Operator operator) {
        return new RowChange(
                "operator",
                Json.object().put("name", operator.name()).put("reason", operator.reason()));
    }

    boolean start(RunId runId, UUID dispatchId, String owner) {
        return transactions.run(
                "start a step of run " + runId, books -> start(books, runId, dispatchId, owner));
    }

    private static boolean start(Books books, RunId runId, UUID dispatchId, String owner) {
        RunRow row = books.lockRun(runId);
        Dispatch dispatch = lock(books, runId, dispatchId);
        Instant now = books.now();
        RunCommand command = new RunCommand.StartStep(dispatch.kind(), owner);
        Decision<RunRow> decision = RunMachine.decide(row, command, now);
        if (decision.isRefused() || !Steps.isNewest(books, dispatch)) {
            return false;
        }
        boolean again = decision.rowOrThrow().run().version() == row.run().version();
        if (dispatch.state() == DispatchState.ACKED) {
            // It starts a step once; what was lost since is asked for by another row.
            return again;
        }
        if (dispatch.state() == DispatchState.CANCELLED) {
            return false;
        }
        DispatchCommand acknowledge = new DispatchCommand.Acknowledge();
        books.apply(dispatch, DispatchMachine.decide(dispatch, acknowledge, now), now);
        books.applyDecided(row, decision, now, next -> List.of());
        return true;
    }

    private static WeirException notAwaited(Run run, Dispatch row) {
        return new WeirException(
                ErrorCode.RUN_STATE_MISMATCH,
                "Cannot send dispatch " + row.id() + " of run " + run.id()
                        + " again: the run does not wait for it (kind=" + row.kind() + ", cycle="
                        + row.cycle() + ", run state=" + run.state() + ")");
    }

    private static Dispatch lock(Books books, RunId runId, UUID id) {
        return books.dispatches()
                .lock(runId, id)
                .orElseThrow(() -> new WeirException(
                        ErrorCode.DISPATCH_NOT_FOUND,
                        "Cannot find dispatch " + id + " of run " + runId
                                + ": the run has no such dispatch"));
    }
}
