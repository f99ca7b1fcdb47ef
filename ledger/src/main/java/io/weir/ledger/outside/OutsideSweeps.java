package io.weir.ledger.outside;

import io.weir.core.error.WeirException;
import io.weir.core.run.Dispatch.DispatchState;
import io.weir.core.run.Failure;
import io.weir.core.run.PartitionState;
import io.weir.core.run.RecoveryMode;
import io.weir.core.run.RunId;
import io.weir.core.run.RunState;
import io.weir.ledger.outside.Turn.Note;
import io.weir.ledger.sql.Columns;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Looks after outside runs whose time is over: each in its own transaction, decided anew under its
 * lock, so that any number of sweepers act once and one run that fails does not keep the others.
 */
final class OutsideSweeps {
    private static final Actor SWEEPER = Actor.loop("sweeper");
    private static final int RUNS_MAX = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(OutsideSweeps.class);

    private final OutsideTransactions transactions;
    private final OutsideSettings settings;
    private final AtomicReference<@Nullable Instant> started = new AtomicReference<>();

    OutsideSweeps(OutsideTransactions transactions, OutsideSettings settings) {
        this.transactions = transactions;
        this.settings = settings;
    }

    /** What was done, one word for each change. */
    List<String> sweep() {
        List<String> actions = new ArrayList<>();
        Instant now = transactions.run("begin to sweep", OutsideBooks::now);
        started.compareAndSet(null, now);
        Instant first = Objects.requireNonNull(started.get(), "start of this sweeper");
        boolean graced = !now.isBefore(first.plus(settings.grace()));
        for (RunId id : transactions.run("list active runs", b -> b.activeRuns(RUNS_MAX))) {
            try {
                actions.addAll(transactions.run(
                        "look after run " + id, books -> new Sweep(books).run(id, graced)));
            } catch (WeirException e) {
                LOG.atWarn().addKeyValue("runId", id).log("{}", e.text());
                actions.add("failed");
            }
        }
        return actions;
    }

    private final class Sweep {
        private final OutsideBooks books;
        private final Turn turn;
        private final List<String> actions = new ArrayList<>();

        Sweep(OutsideBooks books) {
            this.books = books;
            this.turn = new Turn(books, settings, SWEEPER);
        }

        List<String> run(RunId id, boolean graced) {
            books.lockRunIfFree(id).ifPresent(run -> look(run, graced));
            return actions;
        }

        private void look(OutsideRun run, boolean graced) {
            Instant now = turn.now();
            if (run.state().isBeforePublishing() && !now.isBefore(run.deadline())) {
                String text = "it was not published by " + run.deadline();
                timeOut(run, "RUN_TIMEOUT", text, "timeout_run_deadline");
                return;
            }
            boolean silent = !now.isBefore(run.heartbeatAt().plus(settings.validationStale()));
            switch (run.state()) {
                case EXTRACTING -> {
                    if (graced) {
                        losePartitions(run, now);
                    }
                }
                case STAGE_VALIDATING -> {
                    if (silent) {
                        loseValidation(run);
                    }
                }
                case PUBLISHED -> {
                    if (silent) {
                        alert(run);
                    }
                }
                case PUBLISHING -> losePublishing(run, now);
                default -> {}
            }
            sendAgain(run, now);
        }

        private void timeOut(OutsideRun run, String code, String message, String action) {
            Failure failure = new Failure(run.state().name(), code, message);
            turn.end(run, RunState.TIMED_OUT, failure, Note.error("RUN_TIMED_OUT", message));
            actions.add(action);
        }

        private void losePartitions(OutsideRun run, Instant now) {
            List<OutsidePartition> stale = books.lockLostPartitions(run.id(), now);
            if (stale.isEmpty()) {
                return;
            }
            boolean reissue = settings.recovery() == RecoveryMode.REISSUE;
            boolean left = stale.stream().allMatch(open -> open.epoch() < settings.claimsMax());
            if (!reissue || !left) {
                String code = reissue ? "REISSUE_ATTEMPTS_EXHAUSTED" : "PARTITION_STALE";
                String text = "no sign of partition " + stale.get(0).id() + " by its worker "
                        + stale.get(0).worker() + " (partitions=" + stale.size() + ")";
                timeOut(run, code, text, "timeout_stale_partition");
                return;
            }
            stale.forEach(open -> reissue(run, open));
        }

        private void reissue(OutsideRun run, OutsidePartition partition) {
            books.failChunks(run.id(), partition.id());
            Failure failure = new Failure(
                    "EXTRACT", "HEARTBEAT_STALE", "no sign of its worker " + partition.worker());
            turn.move(
                    partition,
                    new Columns()
                            .set("state", PartitionState.RETRY.name())
                            .set("worker", null)
                            .set("lease_until", null)
                            .set("chunk_count", 0)
                            .set("rows", 0L)
                            .set("bytes", 0L)
                            .setFailure(failure),
                    Note.warn("RECOVERY_REISSUED", failure.message()));
            turn.ask(run, OutsideDispatch.Kind.REISSUE_PARTITION, partition.id());
            actions.add("reissue_partition");
        }

        /** Whoever validated is lost with its reply: somebody else is asked, so often. */
        private void loseValidation(OutsideRun run) {
            long cycles = books.dispatches(run.id()).stream()
                    .filter(row -> row.kind() == OutsideDispatch.Kind.VALIDATE_RUN)
                    .count();
            String text = "no sign of its validation since " + run.heartbeatAt();
            if (cycles >= settings.cyclesMax()) {
                Failure failure = new Failure("STAGE_VALIDATING", "STEPS_EXHAUSTED", text);
                turn.end(
                        run,
                        RunState.FAILED_STAGE_VALIDATION,
                        failure,
                        Note.error("RUN_FAILED", text));
                actions.add("validation_exhausted");
                return;
            }
            turn.move(
                    run,
                    new Columns()
                            .set("state", RunState.EXTRACTED_VALIDATED.name())
                            .set("validator_digest", null)
                            .set("heartbeat_at", turn.now()),
                    Note.warn("VALIDATION_LOST", text));
            actions.add("validation_asked_again");
        }

        private void alert(OutsideRun run) {
            turn.move(
                    run,
                    new Columns().set("heartbeat_at", turn.now()),
                    Note.error("RUN_STALE_ALERT", "no sign since " + run.heartbeatAt()));
            actions.add("stale_alert");
        }

        private void losePublishing(OutsideRun run, Instant now) {
            Instant began = Objects.requireNonNull(run.publishStartedAt(), "start of publishing");
            if (now.isBefore(began.plus(settings.publishStale()))) {
                return;
            }
            Failure failure = new Failure(
                    "PUBLISH", "PUBLISH_STALE", "no result since publishing began at " + began);
            OutsidePublishing.unknown(turn, run, failure);
            actions.add("publish_unknown");
        }

        /** A 202 is no acknowledgement: what was taken and not started is sent again. */
        private void sendAgain(OutsideRun run, Instant now) {
            for (OutsideDispatch row : books.lockUnsettledDispatches(run.id())) {
                Instant sent = row.sentAt();
                boolean overdue = row.state() == DispatchState.SENT
                        && sent != null
                        && !now.isBefore(sent.plus(settings.outbox().acknowledgeTimeout()));
                if (!overdue || !OutsideOutbox.isAwaited(books, run, row)) {
                    continue;
                }
                String reason = "taken, but not started by " + now;
                if (row.attempts() >= settings.outbox().attemptsMax()) {
                    Columns changes = new Columns().set("last_error", reason);
                    OutsideOutbox.die(turn, row, changes, reason);
                    actions.add("dead_dispatch");
                } else {
                    books.changeDispatch(
                            row,
                            new Columns()
                                    .set("state", DispatchState.PENDING.name())
                                    .set("due_at", now)
                                    .set("sent_at", null)
                                    .set("last_error", reason));
                    actions.add("requeue_dispatch");
                }
            }
        }
    }
}
