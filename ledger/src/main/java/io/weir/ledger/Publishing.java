package io.weir.ledger;

import io.weir.core.error.ErrorCode;
import io.weir.core.error.WeirException;
import io.weir.core.publish.AttemptState;
import io.weir.core.publish.PublishAttempt;
import io.weir.core.publish.PublishOutcome;
import io.weir.core.run.Dispatch;
import io.weir.core.run.Run;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.books.Books;
import io.weir.ledger.books.Steps;
import io.weir.ledger.books.Transactions;
import io.weir.ledger.decision.Decision;
import io.weir.ledger.event.RowChange;
import io.weir.ledger.publish.AttemptRow;
import io.weir.ledger.publish.PublishCommand;
import io.weir.ledger.publish.PublishMachine;
import io.weir.ledger.publish.PublishOrder;
import io.weir.ledger.publish.TargetColumns;
import io.weir.ledger.run.RunCommand;
import io.weir.ledger.run.RunRow;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** One attempt after the other per target, each under its own epoch. */
final class Publishing {
    private final Transactions transactions;
    private final LedgerSettings settings;

    Publishing(Transactions transactions, LedgerSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    PublishAttempt open(RunId runId, long baseSnapshotId, UUID token) {
        return transactions.run(
                "open a publish attempt of run " + runId,
                books -> open(books, runId, baseSnapshotId, token));
    }

    private static PublishAttempt open(Books books, RunId runId, long base, UUID token) {
        Run run = books.lockRun(runId).run();
        Optional<AttemptRow> same = books.attempts().byToken(runId, token);
        if (same.isPresent()) {
            return same.get().attempt();
        }
        if (run.state() != RunState.STAGE_VALIDATING && run.state() != RunState.STAGING_VALIDATED) {
            throw new WeirException(
                    ErrorCode.RUN_STATE_MISMATCH,
                    "Cannot open a publish attempt of run " + runId
                            + ": it is in another state (state=" + run.state() + ", needed="
                            + RunState.STAGE_VALIDATING + ")");
        }
        books.targets().lock(run.target());
        Instant now = books.now();
        for (AttemptRow older : books.attempts().lockUnsettled(runId)) {
            if (older.attempt().state() == AttemptState.STAGED) {
                // What was audited belongs to the newest branch only.
                PublishCommand command =
                        new PublishCommand.Abandon("never opened: the run staged again");
                books.apply(older, PublishMachine.decide(older, command), now);
            }
        }
        return insert(books, run, AttemptState.STAGED, base, token, now);
    }

    private static PublishAttempt insert(
            Books books, Run run, AttemptState state, long base, UUID token, Instant now) {
        long epoch = books.targets().nextEpoch(run.target());
        AttemptRow row = new AttemptRow(
                new PublishAttempt(run.target(), epoch, run.id(), token, state, base, null, null),
                0);
        RowChange added = books.attempts().insert(row);
        books.record(
                now,
                run.id(),
                null,
                "ATTEMPT_CREATED",
                List.of(TargetColumns.drawn(run.target(), epoch), added));
        return row.attempt();
    }

    void staged(PublishAttempt attempt, long stagedSnapshotId) {
        transactions.run("record what is staged for run " + attempt.runId(), books -> {
            RunRow run = books.lockRun(attempt.runId());
            AttemptRow row = lock(books, attempt, "record what is staged");
            Instant now = books.now();
            PublishCommand command = new PublishCommand.Stage(attempt.token(), stagedSnapshotId);
            books.apply(row, PublishMachine.decide(row, command), now);
            return books.apply(run, new RunCommand.RecordStaged(stagedSnapshotId), now);
        });
    }

    PublishAttempt claim(PublishAttempt attempt) {
        return transactions.run(
                "claim publishing of run " + attempt.runId(), books -> claim(books, attempt));
    }

    private static PublishAttempt claim(Books books, PublishAttempt attempt) {
        RunRow run = books.lockRun(attempt.runId());
        books.targets().lock(attempt.target());
        AttemptRow row = lock(books, attempt, "claim publishing");
        Instant now = books.now();
        Decision<AttemptRow> decision =
                PublishMachine.decide(row, new PublishCommand.Open(attempt.token()));
        if (!decision.isRefused()) {
            // In this order: what ended the attempt that was in the way is read after it ended.
            refuseIfBusy(books, row.attempt());
            refuseIfOvertaken(books, run.run());
        }
        AttemptRow after = books.apply(row, decision, now);
        books.apply(run, new RunCommand.ClaimPublish(), now);
        return after.attempt();
    }

    private static void refuseIfBusy(Books books, PublishAttempt mine) {
        Optional<AttemptRow> busy = books.attempts().unsettledAt(mine.target());
        if (busy.isPresent() && busy.get().attempt().epoch() != mine.epoch()) {
            PublishAttempt other = busy.get().attempt();
            throw new WeirException(
                    ErrorCode.TARGET_BUSY,
                    "Cannot publish run " + mine.runId() + " to " + mine.target() + ": run "
                            + other.runId() + " is publishing to it (state=" + other.state()
                            + ", epoch=" + other.epoch() + ")");
        }
    }

    /**
     * Nothing older is shown over what is newer. No other run of a cut is shown either then, unless
     * one is already.
     */
    private static void refuseIfOvertaken(Books books, Run run) {
        List<Run> cut = books.cutOf(run);
        boolean shown = cut.stream().anyMatch(other -> other.publishedSnapshotId() != null);
        for (Run mine : shown ? List.of(run) : cut) {
            for (RunRow row : books.runs().publishedAfter(mine)) {
                Run newer = row.run();
                if (PublishOrder.isOvertaken(mine, newer)) {
                    throw new WeirException(
                            ErrorCode.TABLE_MOVED,
                            "Cannot publish run " + run.id() + ": run " + newer.id()
                                    + ", which is newer, was published to " + mine.target()
                                    + " before it (created=" + mine.createdAt() + ", newer="
                                    + newer.createdAt() + ")");
                }
            }
        }
    }

    PublishAttempt renew(PublishAttempt attempt, long baseSnapshotId, UUID token) {
        return transactions.run(
                "renew the publish attempt of run " + attempt.runId(),
                books -> renew(books, attempt, baseSnapshotId, token));
    }

    private static PublishAttempt renew(
            Books books, PublishAttempt attempt, long base, UUID token) {
        Run run = books.lockRun(attempt.runId()).run();
        Optional<AttemptRow> same = books.attempts().byToken(run.id(), token);
        if (same.isPresent()) {
            return same.get().attempt();
        }
        if (run.state() != RunState.PUBLISHING) {
            throw new WeirException(
                    ErrorCode.RUN_STATE_MISMATCH,
                    "Cannot renew the publish attempt of run " + run.id()
                            + ": it is in another state (state=" + run.state() + ", needed="
                            + RunState.PUBLISHING + ")");
        }
        books.targets().lock(attempt.target());
        AttemptRow row = lock(books, attempt, "renew");
        Instant now = books.now();
        PublishCommand command = new PublishCommand.Replace(
                attempt.token(), "proven not to have happened: the target moved");
        books.apply(row, PublishMachine.decide(row, command), now);
        return insert(books, run, AttemptState.OPEN, base, token, now);
    }

    Run result(
            PublishAttempt attempt,
            PublishOutcome outcome,
            @Nullable Long publishedSnapshotId,
            String evidence) {
        return transactions.run("record the publish result of run " + attempt.runId(), books -> {
            RunRow run = books.lockRun(attempt.runId());
            AttemptRow row = lock(books, attempt, "record the result");
            Instant now = books.now();
            PublishCommand settle = new PublishCommand.Settle(attempt.token(), outcome, evidence);
            AttemptRow after = books.apply(row, PublishMachine.decide(row, settle), now);
            if (after.version() == row.version()) {
                return run.run();
            }
            RunCommand command = new RunCommand.SettlePublish(
                    lasting(books, run.run(), outcome), publishedSnapshotId, evidence);
            return books.apply(run, command, now).run();
        });
    }

    /** Publishing is tried again only so often. */
    private PublishOutcome lasting(Books books, Run run, PublishOutcome outcome) {
        boolean exhausted = outcome == PublishOutcome.ABSENT
                && Steps.cycles(books, run, Dispatch.Kind.PUBLISH_RUN) >= settings.cyclesMax();
        return exhausted ? PublishOutcome.FAILED : outcome;
    }

    private static AttemptRow lock(Books books, PublishAttempt attempt, String action) {
        return books.attempts()
                .lock(attempt.target(), attempt.epoch(), attempt.runId())
                .orElseThrow(() -> new WeirException(
                        ErrorCode.PUBLISH_TOKEN_MISMATCH,
                        "Cannot " + action + " of run " + attempt.runId()
                                + ": it has no such attempt (target="
                                + attempt.target() + ", epoch="
                                + attempt.epoch() + ")"));
    }
}
