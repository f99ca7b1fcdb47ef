package io.weir.ledger.outside;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Operator;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.Turn.Note;
import io.weir.ledger.sql.Columns;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Delivers the steps of outside runs. A row is leased in a short transaction, the receiver is
 * called without one, and the outcome is written only if the row is still waiting.
 */
public final class OutsideOutbox {
    private static final Actor DISPATCHER = Actor.loop("dispatcher");
    private static final int REASON_MAX = 200;

    private final OutsideTransactions transactions;
    private final OutsideSettings settings;

    OutsideOutbox(OutsideTransactions transactions, OutsideSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    /**
     * What a receiver is called with.
     *
     * @param partition only for REISSUE_PARTITION
     */
    public record Call(
            OutsideDispatch dispatch,
            OutsideRun run,
            @Nullable OutsidePartition partition) {}

    /**
     * What came of a call.
     *
     * @param httpStatus null if there was no answer
     * @param reason for people; empty if it was taken
     */
    public record Outcome(Result result, @Nullable Integer httpStatus, String reason) {}

    /** Whether it was taken, is worth another try, or never will be. */
    public enum Result {
        TAKEN,
        POSTPONED,
        REFUSED
    }

    /** Takes due rows under a lease; each counts an attempt. */
    public List<Call> lease(int most) {
        return transactions.run("deliver the outbox to outside receivers", books -> {
            Turn turn = new Turn(books, settings, DISPATCHER);
            List<Call> calls = new ArrayList<>();
            for (OutsideDispatch due :
                    books.lockDueDispatches(turn.now(), settings.kinds(), most)) {
                OutsideDispatch leased = books.changeDispatch(
                        due,
                        new Columns()
                                .set("attempts", due.attempts() + 1)
                                .set("due_at", turn.now().plus(settings.outbox().lease())));
                calls.add(new Call(leased, turn.findRun(due.runId()), partition(books, leased)));
            }
            return List.copyOf(calls);
        });
    }

    private static @Nullable OutsidePartition partition(
            OutsideBooks books, OutsideDispatch dispatch) {
        return books.partitions(dispatch.runId()).stream()
                .filter(partition -> partition.id().equals(dispatch.partitionId()))
                .findFirst()
                .orElse(null);
    }

    /** Settles a leased row; does nothing if its step was started or it was leased again. */
    public OutsideDispatch settle(OutsideDispatch leased, Outcome outcome) {
        return transactions.run("settle a delivery of run " + leased.runId(), books -> {
            Turn turn = new Turn(books, settings, DISPATCHER);
            OutsideDispatch row = lock(books, leased.runId(), leased.id());
            boolean mine =
                    row.state() == DispatchState.PENDING && row.attempts() == leased.attempts();
            if (!mine) {
                return row;
            }
            String reason = outcome.reason().length() > REASON_MAX
                    ? outcome.reason().substring(0, REASON_MAX)
                    : outcome.reason();
            Columns changes = new Columns()
                    .set("http_status", outcome.httpStatus())
                    .set("last_error", reason.isEmpty() ? null : reason);
            if (outcome.result() == Result.TAKEN) {
                return books.changeDispatch(
                        row,
                        changes.set("state", DispatchState.SENT.name()).set("sent_at", turn.now()));
            }
            boolean dead = outcome.result() == Result.REFUSED
                    || row.attempts() >= settings.outbox().attemptsMax();
            if (dead) {
                return die(turn, row, changes, reason);
            }
            return books.changeDispatch(
                    row,
                    changes.set(
                            "due_at",
                            turn.now().plus(settings.outbox().pauseAfter(row.attempts()))));
        });
    }

    static OutsideDispatch die(Turn turn, OutsideDispatch row, Columns changes, String reason) {
        turn.note(
                row.runId(),
                Note.error("DISPATCH_DEAD", row.kind() + " " + reason),
                Map.of("dispatchId", row.id().toString(), "attempts", row.attempts()));
        return turn.books.changeDispatch(row, changes.set("state", DispatchState.DEAD.name()));
    }

    /** Whether the run still waits for the step of a row. */
    static boolean isAwaited(OutsideBooks books, OutsideRun run, OutsideDispatch row) {
        return switch (row.kind()) {
            case VALIDATE_RUN -> run.state() == RunState.EXTRACTED_VALIDATED;
            case PUBLISH_RUN -> run.state() == RunState.STAGING_VALIDATED;
            case CONFIRM_RUN -> run.state() == RunState.PUBLISHED;
            case REISSUE_PARTITION ->
                run.state() == RunState.EXTRACTING
                        && Optional.ofNullable(partition(books, row))
                                .filter(found -> found.state() == PartitionState.RETRY)
                                .isPresent();
        };
    }

    /** Sends a row again, with all its attempts, because a person says that the cause is gone. */
    public OutsideDispatch resend(RunId runId, UUID id, Operator operator, Actor actor) {
        return transactions.run("send a dispatch of run " + runId + " again", books -> {
            Turn turn = new Turn(books, settings, actor);
            OutsideRun run = turn.lockRun(runId);
            OutsideDispatch row = lock(books, runId, id);
            boolean possible =
                    row.state() == DispatchState.DEAD || row.state() == DispatchState.SENT;
            if (!possible || !isAwaited(books, run, row)) {
                throw WeirException.of(
                        ErrorCode.DISPATCH_STATUS_MISMATCH,
                        "Cannot send dispatch " + id + " of run " + runId
                                + " again: it is not DEAD or SENT, or not awaited (state="
                                + row.state() + ", run state=" + run.state() + ")",
                        Map.of("dispatchStatus", row.state().name()));
            }
            turn.note(
                    runId,
                    Note.warn("DISPATCH_RESENT", operator.name() + ": " + operator.reason()),
                    Map.of("dispatchId", id.toString()));
            books.appendAudit("run/" + runId, actor, "DISPATCH_RESENT", operator.reason(), "{}");
            return books.changeDispatch(
                    row,
                    new Columns()
                            .set("state", DispatchState.PENDING.name())
                            .set("attempts", 0)
                            .set("due_at", turn.now())
                            .set("sent_at", null));
        });
    }

    private static OutsideDispatch lock(OutsideBooks books, RunId runId, UUID id) {
        return books.lockDispatch(runId, id)
                .orElseThrow(() -> new WeirException(
                        ErrorCode.DISPATCH_NOT_FOUND,
                        "Cannot find dispatch " + id + " of run " + runId
                                + ": the run has no such dispatch"));
    }
}
